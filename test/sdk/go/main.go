// Calls the SDK as an integrator would, and prints what it got as one line of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	gatehouse "gatehouse.example/sdk/go"
)

func client() *gatehouse.APIClient {
	configuration := gatehouse.NewConfiguration()
	configuration.Servers = gatehouse.ServerConfigurations{{URL: os.Getenv("GATEHOUSE_URL")}}
	return gatehouse.NewAPIClient(configuration)
}

func withKey(key string) context.Context {
	keys := map[string]gatehouse.APIKey{"apiKey": {Key: key}}
	return context.WithValue(context.Background(), gatehouse.ContextAPIKeys, keys)
}

func model[T any](err error) T {
	var failure *gatehouse.GenericOpenAPIError
	if !errors.As(err, &failure) {
		log.Fatalf("not an error of the SDK: %v", err)
	}
	model, ok := failure.Model().(T)
	if !ok {
		log.Fatalf("a model of another type: %T", failure.Model())
	}
	return model
}

func problemOf(response *http.Response, err error) map[string]any {
	problem := model[gatehouse.Problem](err)
	same := problem.GetRequestId() == response.Header.Get("x-request-id")
	return map[string]any{"status": response.StatusCode, "code": problem.GetCode(), "requestId": same}
}

func must[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	api := client()
	installation, tenant := os.Getenv("GATEHOUSE_INSTALLATION"), os.Getenv("GATEHOUSE_CLIENT")
	ours := withKey(os.Getenv("GATEHOUSE_API_KEY"))
	names := []string{}
	for _, worker := range must(api.GatewayAPI.ListWorkers(ours, installation, tenant).Execute()) {
		names = append(names, worker.GetFullName())
	}
	_, unauthorized, unauthorizedErr := api.GatewayAPI.ListWorkers(withKey("wrong"), installation, tenant).Execute()
	_, notFound, notFoundErr := api.GatewayAPI.ListWorkers(ours, installation, os.Getenv("GATEHOUSE_UNKNOWN_CLIENT")).Execute()

	grant := gatehouse.NewAuthorizationCodeGrant("authorization_code", os.Getenv("GATEHOUSE_CODE"), os.Getenv("GATEHOUSE_REDIRECT_URI"))
	grant.SetClientId(os.Getenv("GATEHOUSE_APPLICATION"))
	grant.SetClientSecret(os.Getenv("GATEHOUSE_SECRET"))
	exchange := func() (*gatehouse.TokenResponse, *http.Response, error) {
		return api.SignOnAPI.ExchangeToken(context.Background()).TokenRequest(gatehouse.AuthorizationCodeGrantAsTokenRequest(grant)).Execute()
	}
	tokens := must(exchange())
	withToken := context.WithValue(context.Background(), gatehouse.ContextAccessToken, tokens.GetAccessToken())
	claims := must(api.SignOnAPI.GetUserinfo(withToken).Execute())
	_, refused, refusedErr := exchange()
	refusal := model[gatehouse.OAuthError](refusedErr)

	line, err := json.Marshal(map[string]any{
		"workers":      names,
		"unauthorized": problemOf(unauthorized, unauthorizedErr),
		"notFound":     problemOf(notFound, notFoundErr),
		"tokenType":    tokens.GetTokenType(),
		"email":        claims.GetEmail(),
		"refused":      map[string]any{"status": refused.StatusCode, "error": refusal.GetError()},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}
