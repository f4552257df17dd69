"""Calls the SDK as an integrator would, and prints what it got as one line of JSON."""

import json
from os import environ

from gatehouse_sdk import ApiClient, AuthorizationCodeGrant, Configuration, GatewayApi, SignOnApi, TokenRequest
from gatehouse_sdk.exceptions import BadRequestException, NotFoundException, UnauthorizedException

url = environ["GATEHOUSE_URL"]
installation, client_id = environ["GATEHOUSE_INSTALLATION"], environ["GATEHOUSE_CLIENT"]


def gateway(api_key: str) -> GatewayApi:
    return GatewayApi(ApiClient(Configuration(host=url, api_key={"apiKey": api_key})))


def problem_of(error) -> dict:
    same = error.data.request_id == error.headers["x-request-id"]
    return {"status": error.status, "code": error.data.code, "requestId": same}


ours = gateway(environ["GATEHOUSE_API_KEY"])
workers = ours.list_workers(installation, client_id)
try:
    gateway("wrong").list_workers(installation, client_id)
except UnauthorizedException as error:
    unauthorized = problem_of(error)
try:
    ours.list_workers(installation, environ["GATEHOUSE_UNKNOWN_CLIENT"])
except NotFoundException as error:
    not_found = problem_of(error)

grant = AuthorizationCodeGrant(
    grant_type="authorization_code",
    code=environ["GATEHOUSE_CODE"],
    redirect_uri=environ["GATEHOUSE_REDIRECT_URI"],
    client_id=environ["GATEHOUSE_APPLICATION"],
    client_secret=environ["GATEHOUSE_SECRET"],
)
sign_on = SignOnApi(ApiClient(Configuration(host=url)))
tokens = sign_on.exchange_token(TokenRequest(grant))
claims = SignOnApi(ApiClient(Configuration(host=url, access_token=tokens.access_token))).get_userinfo()
try:
    sign_on.exchange_token(TokenRequest(grant))
except BadRequestException as error:
    refused = {"status": error.status, "error": error.data.error}

print(
    json.dumps(
        {
            "workers": [worker.full_name for worker in workers],
            "unauthorized": unauthorized,
            "notFound": not_found,
            "tokenType": tokens.token_type,
            "email": claims.email,
            "refused": refused,
        }
    )
)
