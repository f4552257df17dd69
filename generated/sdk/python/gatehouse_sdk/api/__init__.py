# flake8: noqa

# import apis into api package
from gatehouse_sdk.api.gateway_api import GatewayApi
from gatehouse_sdk.api.sign_on_api import SignOnApi

