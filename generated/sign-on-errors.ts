// Made by `make generate`. Do not edit.

/** Every error code of sign-on, with the sentences that come with it, their causes and cures. */
export const SIGN_ON_ERRORS = {
  "access_denied": {
    "meaning": "The sign-in did not lead to access.",
    "inAnswers": false,
    "answered": [
      {
        "said": "None of the requested authentication contexts is supported.",
        "causes": [
          {
            "cure": "Ask for acr only as a voluntary claim, or for a value that discovery lists.",
            "check": "acr_values.not_offered"
          }
        ]
      },
      {
        "said": "The person has no access to this platform instance.",
        "causes": [
          {
            "cause": "The person has neither a user nor a worker on the platform instance that the redirect URI belongs to.",
            "cure": "The application is correct. The platform's operator can give the person a seat on the instance.",
            "check": "membership.none"
          },
          {
            "cause": "The person is disabled. Their session has ended: the next request shows the sign-in page.",
            "cure": "The application is correct. An operator can enable the person again: gatehouse people enable.",
            "check": "membership.disabled"
          }
        ]
      },
      {
        "said": "The person refused the access.",
        "causes": [
          {
            "cure": "Nothing is wrong: the person said no. Offer to try again.",
            "check": "consent.refused"
          }
        ]
      }
    ]
  },
  "consent_required": {
    "meaning": "The person must approve the access, and the request does not allow us to ask.",
    "inAnswers": false,
    "answered": [
      {
        "said": "The person has not approved this access.",
        "causes": [
          {
            "cure": "This answer to prompt=none is expected. Send the person without prompt=none, so that they can approve.",
            "check": "consent.missing"
          }
        ]
      }
    ]
  },
  "insufficient_scope": {
    "meaning": "The access token is valid, but lacks a scope that the request needs.",
    "inAnswers": true,
    "answered": [
      {
        "said": "The access token lacks the scope openid.",
        "causes": [
          {
            "cure": "Ask for the scope openid when people sign in.",
            "check": "scope.openid_missing"
          }
        ]
      }
    ]
  },
  "invalid_client": {
    "meaning": "The application did not prove who it is.",
    "inAnswers": true,
    "answered": [
      {
        "said": "Authentication of the application failed.",
        "causes": [
          {
            "cause": "There is no application with this client_id, or it is disabled.",
            "cure": "Send the client_id as the operator gave it, and to the environment that it is registered at.",
            "check": "application.unknown",
            "pages": [
              "This application is not registered here"
            ]
          },
          {
            "cause": "A public application has no secret, and sent one.",
            "cure": "Configure the library for a public client: authentication method none, with PKCE.",
            "check": "application.secret_of_public"
          },
          {
            "cause": "A confidential application must prove itself, and sent no secret.",
            "cure": "Send the application's id and its secret as it was shown when it was made, by HTTP Basic or in the body, not both. A lost secret is replaced: gatehouse applications rotate-secret.",
            "check": "application.secret_missing"
          },
          {
            "cause": "The client secret is wrong or has been replaced.",
            "cure": "Send the application's id and its secret as it was shown when it was made, by HTTP Basic or in the body, not both. A lost secret is replaced: gatehouse applications rotate-secret.",
            "check": "application.secret_wrong"
          },
          {
            "cause": "The Authorization header is not HTTP Basic with form-encoded id and secret (RFC 6749 §2.3.1).",
            "cure": "Send the application's id and its secret as it was shown when it was made, by HTTP Basic or in the body, not both. A lost secret is replaced: gatehouse applications rotate-secret.",
            "check": "application.header_malformed"
          },
          {
            "cause": "Introspection is for applications that prove themselves by a secret, and this one is public.",
            "cure": "Ask with an application that has a secret.",
            "check": "application.public"
          }
        ]
      },
      {
        "said": "The application did not authenticate.",
        "causes": [
          {
            "cause": "Introspection was asked without an Authorization header and without client_id.",
            "cure": "Send the application's id and its secret as it was shown when it was made, by HTTP Basic or in the body, not both. A lost secret is replaced: gatehouse applications rotate-secret.",
            "check": "application.absent"
          }
        ]
      }
    ]
  },
  "invalid_grant": {
    "meaning": "The code or the refresh token cannot be exchanged for tokens.",
    "inAnswers": true,
    "answered": [
      {
        "said": "The authorization code is unknown.",
        "causes": [
          {
            "cause": "This application has no such authorization code, or the code expired so long ago that it was deleted.",
            "cure": "Send the code exactly as it came, decoded once, with the application that asked for it.",
            "check": "code.unknown"
          }
        ]
      },
      {
        "said": "The authorization code was already used.",
        "causes": [
          {
            "cause": "The authorization code was used before. All tokens that came from it are revoked, since it may have been copied.",
            "cure": "Redeem a code once: no retry, no reload of the callback page, no second process with the same code.",
            "check": "code.already_used"
          }
        ]
      },
      {
        "said": "The authorization code has expired.",
        "causes": [
          {
            "cause": "The code has expired, or has been ended: by a sign-out, a new password, a withdrawn access, or the disabling of its application.",
            "cure": "Redeem a code at once when it arrives.",
            "check": "code.expired"
          }
        ]
      },
      {
        "said": "The application is no longer registered for the scope ‹scope›.",
        "causes": [
          {
            "cause": "Since the code was issued, the application's registration has lost a scope that the code is for.",
            "cure": "Have the application registered for it again: gatehouse applications update --scope. Then: Send the person to /auth/authorize again.",
            "check": "code.scope_not_registered"
          }
        ]
      },
      {
        "said": "The redirect URI of the authorization code is no longer registered.",
        "causes": [
          {
            "cause": "Since the code was issued, its redirect URI was removed from the application's registration, or registered for another instance.",
            "cure": "Use one that is registered, or have this one registered again: gatehouse applications redirect-uris add. Then: Send the person to /auth/authorize again.",
            "check": "code.redirect_uri_not_registered"
          }
        ]
      },
      {
        "said": "This application must use PKCE by now, and the authorization request had no code_challenge.",
        "causes": [
          {
            "cure": "Send code_challenge with the authorization request and code_verifier here. Then: Send the person to /auth/authorize again.",
            "check": "code.challenge_missing"
          }
        ]
      },
      {
        "said": "redirect_uri differs from the authorization request.",
        "causes": [
          {
            "cure": "Send the same redirect_uri as in the authorization request, byte for byte.",
            "check": "redirect_uri.differs"
          }
        ]
      },
      {
        "said": "code_verifier was sent, but the authorization request had no code_challenge.",
        "causes": [
          {
            "cure": "Send code_challenge with the authorization request; it may have been removed on the way.",
            "check": "code_verifier.unexpected"
          }
        ]
      },
      {
        "said": "code_verifier is missing.",
        "causes": [
          {
            "cure": "Send the verifier that belongs to the code_challenge.",
            "check": "code_verifier.missing"
          }
        ]
      },
      {
        "said": "code_verifier does not match the code_challenge.",
        "causes": [
          {
            "cure": "Keep the verifier of each authorization request with its state; two tabs must not share one.",
            "check": "code_verifier.wrong"
          }
        ]
      },
      {
        "said": "The person has no access to this platform instance, or was disabled since signing in and must sign in again.",
        "causes": [
          {
            "cure": "Nothing is wrong with the application. End its session of the person. A person who was disabled and enabled again can go on: Send the person to /auth/authorize again.",
            "check": "membership.lost"
          }
        ]
      },
      {
        "said": "The refresh token is unknown, expired or revoked.",
        "causes": [
          {
            "cause": "The refresh token belongs to another application, or has ended: by its time, a sign-out, a new password, a withdrawn access, a revocation, a replay, or with its application.",
            "cure": "Send the person to /auth/authorize again. An operator can say more of it: gatehouse tokens explain.",
            "check": "refresh_token.unknown"
          }
        ]
      },
      {
        "said": "The refresh token was already used; sign in again.",
        "causes": [
          {
            "cause": "The refresh token was replaced before, and it came again after the application's repeat window (30 seconds, unless the operator set another) or after its successor was used. Its whole family is revoked, since it may have been copied.",
            "cure": "Send the person to /auth/authorize again. Store the new refresh token of each answer before it is used, and refresh in one place at a time.",
            "check": "refresh_token.already_used"
          }
        ]
      },
      {
        "said": "The refresh token has expired.",
        "causes": [
          {
            "cure": "Send the person to /auth/authorize again.",
            "check": "refresh_token.expired"
          }
        ]
      },
      {
        "said": "A repeated refresh must ask for the same scope as the first.",
        "causes": [
          {
            "cure": "Repeat a refresh as it was sent the first time.",
            "check": "scope.differs_in_repeat"
          }
        ]
      }
    ]
  },
  "invalid_request": {
    "meaning": "A part of the request is missing, repeated or not as it must be.",
    "inAnswers": true,
    "answered": [
      {
        "said": "The parameter ‹name› is repeated.",
        "causes": [
          {
            "cure": "Send each parameter once. Two values often come from a library and a hand-made address that both add it.",
            "check": "parameter.repeated"
          }
        ]
      },
      {
        "said": "The parameter ‹name› is longer than ‹most› characters.",
        "causes": [
          {
            "cure": "Shorten it; store long state in the application's own session.",
            "check": "parameter.too_long"
          }
        ]
      },
      {
        "said": "The parameter ‹name› belongs in the body, not in the address.",
        "causes": [
          {
            "cure": "Send it in the body. If it is a secret, take it for stolen: addresses are logged by others; get a new one.",
            "check": "parameter.in_address"
          }
        ]
      },
      {
        "said": "The parameter response_type is missing.",
        "causes": [
          {
            "cure": "Send response_type=code.",
            "check": "response_type.missing"
          }
        ]
      },
      {
        "said": "The response mode must be query or form_post, not ‹mode›.",
        "causes": [
          {
            "cure": "Leave response_mode out, or send one of those that discovery lists.",
            "check": "response_mode.unknown"
          }
        ]
      },
      {
        "said": "The response mode form_post needs an http or https redirect URI.",
        "causes": [
          {
            "cure": "Leave response_mode out: a browser cannot post a form to a private-use scheme.",
            "check": "response_mode.not_for_redirect_uri"
          }
        ]
      },
      {
        "said": "With the response mode form_post a state must have no line breaks.",
        "causes": [
          {
            "cure": "Send a state without line breaks; forms change them.",
            "check": "state.line_break"
          }
        ]
      },
      {
        "said": "The parameter scope is missing.",
        "causes": [
          {
            "cure": "Send scope, for example openid profile.",
            "check": "scope.missing"
          }
        ]
      },
      {
        "said": "This application must send a code_challenge (PKCE).",
        "causes": [
          {
            "cure": "Send code_challenge, the SHA-256 of the verifier as 43 characters of base64url, and code_challenge_method=S256.",
            "check": "code_challenge.missing"
          }
        ]
      },
      {
        "said": "code_challenge must be 43 characters of base64url.",
        "causes": [
          {
            "cure": "Send code_challenge, the SHA-256 of the verifier as 43 characters of base64url, and code_challenge_method=S256.",
            "check": "code_challenge.malformed"
          }
        ]
      },
      {
        "said": "code_challenge_method was sent without code_challenge.",
        "causes": [
          {
            "cure": "Send code_challenge, the SHA-256 of the verifier as 43 characters of base64url, and code_challenge_method=S256.",
            "check": "code_challenge_method.alone"
          }
        ]
      },
      {
        "said": "code_challenge_method must be S256; it is ‹sent›.",
        "causes": [
          {
            "cure": "Send code_challenge, the SHA-256 of the verifier as 43 characters of base64url, and code_challenge_method=S256.",
            "check": "code_challenge_method.not_s256"
          }
        ]
      },
      {
        "said": "Unknown value of prompt: ‹value›.",
        "causes": [
          {
            "cure": "Send values of none, login, consent, select_account, or leave prompt out.",
            "check": "prompt.unknown"
          }
        ]
      },
      {
        "said": "prompt=none cannot be combined with other values.",
        "causes": [
          {
            "cure": "Send prompt=none alone.",
            "check": "prompt.none_with_others"
          }
        ]
      },
      {
        "said": "max_age must be a number of seconds.",
        "causes": [
          {
            "cure": "Send whole seconds, like 3600.",
            "check": "max_age.malformed"
          }
        ]
      },
      {
        "said": "The parameter claims is not a JSON object of claims.",
        "causes": [
          {
            "cure": "Send the claims parameter as OIDC Core §5.5 has it, percent-encoded once, or leave it out.",
            "check": "claims.malformed"
          }
        ]
      },
      {
        "said": "The application authenticates twice: in the header and in the body.",
        "causes": [
          {
            "cure": "Send the application's id and its secret as it was shown when it was made, by HTTP Basic or in the body, not both. A lost secret is replaced: gatehouse applications rotate-secret.",
            "check": "application.authenticates_twice"
          }
        ]
      },
      {
        "said": "client_id differs from the one in the Authorization header.",
        "causes": [
          {
            "cure": "Leave client_id out of the body.",
            "check": "client_id.differs"
          }
        ]
      },
      {
        "said": "The Authorization header is repeated.",
        "causes": [
          {
            "cure": "Send one Authorization header; a proxy may have added the other.",
            "check": "authorization_header.repeated"
          }
        ]
      },
      {
        "said": "The parameter ‹name› is missing.",
        "causes": [
          {
            "cure": "Send it; one without a value counts as missing.",
            "check": "parameter.missing"
          }
        ]
      },
      {
        "said": "Every parameter must be a text.",
        "causes": [
          {
            "cure": "Send a flat object of strings.",
            "check": "parameter.no_text"
          }
        ]
      },
      {
        "said": "The content type must be ‹types›.",
        "causes": [
          {
            "cure": "Set content-type to application/x-www-form-urlencoded or application/json, and send a body of that type.",
            "check": "body.media_type"
          }
        ]
      },
      {
        "said": "The body ‹problem›.",
        "causes": [
          {
            "cure": "Send a form, or one flat JSON object of strings, with each name once.",
            "check": "body.malformed"
          }
        ]
      },
      {
        "said": "code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~.",
        "causes": [
          {
            "cure": "Make verifiers of 43 to 128 of these characters.",
            "check": "code_verifier.malformed"
          }
        ]
      },
      {
        "said": "The access token is sent twice, in the header and in the body.",
        "causes": [
          {
            "cure": "Send it in one of the two places.",
            "check": "access_token.twice"
          }
        ]
      },
      {
        "said": "The request is malformed.",
        "causes": [
          {
            "cause": "Userinfo was asked by GET with a body, or at an address that cannot be read.",
            "cure": "Send the access token in the Authorization header, and by GET no body.",
            "check": "userinfo.malformed"
          },
          {
            "cure": "Look at the contract of this operation: /docs.",
            "check": "request.malformed"
          }
        ]
      },
      {
        "said": "Nothing is offered at this address.",
        "causes": [
          {
            "cause": "No operation is offered at this address.",
            "cure": "Take the addresses from /.well-known/openid-configuration.",
            "check": "address.unknown",
            "pages": [
              "There is no page here"
            ]
          }
        ]
      },
      {
        "said": "Leave out the slash at the end: ‹path› is the address.",
        "causes": [
          {
            "cause": "No operation is offered at this address; there is one at the same address without its last slash.",
            "cure": "Take the addresses from /.well-known/openid-configuration.",
            "check": "address.slash",
            "pages": [
              "There is no page here"
            ]
          }
        ]
      },
      {
        "said": "This address does not offer the method; see the allow header.",
        "causes": [
          {
            "cause": "The address does not offer this method.",
            "cure": "The allow header of the answer says which; most often it is GET in place of POST at the token endpoint.",
            "check": "address.method"
          }
        ]
      },
      {
        "said": "The ‹problem›.",
        "causes": [
          {
            "cause": "The request could not be read as HTTP.",
            "cure": "The sentence says what is wrong. A Host header, a target or a transfer coding that is refused comes most often from a proxy on the way.",
            "check": "request.unreadable"
          }
        ]
      },
      {
        "said": "The answer has none of the entity tags in If-Match.",
        "causes": [
          {
            "cause": "The request has the header If-Match, and the document has none of the entity tags in it.",
            "cure": "To ask whether the document has changed, send If-None-Match.",
            "check": "request.precondition_failed"
          }
        ]
      }
    ]
  },
  "invalid_scope": {
    "meaning": "A scope is unknown, not registered for the application, or more than was granted.",
    "inAnswers": true,
    "answered": [
      {
        "said": "The scopes must be separated by single spaces, with none before or after them.",
        "causes": [
          {
            "cause": "scope is a space alone, begins or ends with one, or has two in a row (RFC 6749 §3.3).",
            "cure": "Join the names by one space each; when scope is put together by a program, leave empty names out.",
            "check": "scope.spaces"
          }
        ]
      },
      {
        "said": "Unknown scope: ‹scope›.",
        "causes": [
          {
            "cure": "Ask for scopes of openid, profile, email, offline_access, with one space between them.",
            "check": "scope.unknown"
          }
        ]
      },
      {
        "said": "The application is not registered for the scope ‹scope›.",
        "causes": [
          {
            "cure": "Ask for fewer scopes, or have the application registered for them: gatehouse applications update --scope.",
            "check": "scope.not_registered"
          }
        ]
      },
      {
        "said": "The requested scope exceeds what was granted.",
        "causes": [
          {
            "cure": "Ask for fewer, or none at all to get what was granted. For more: Send the person to /auth/authorize again.",
            "check": "scope.exceeds_grant"
          }
        ]
      }
    ]
  },
  "invalid_token": {
    "meaning": "The access token is missing, or it is not valid, or no longer.",
    "inAnswers": true,
    "answered": [
      {
        "said": "An access token is missing.",
        "causes": [
          {
            "cure": "Send one header: Authorization: Bearer, a space, the access token.",
            "check": "access_token.missing"
          }
        ]
      },
      {
        "said": "The access token is invalid or has expired.",
        "causes": [
          {
            "cause": "The token is not an access token of this issuer.",
            "cure": "Send the access_token of the token answer as it was received. An operator can say more of it: gatehouse tokens explain.",
            "check": "access_token.invalid"
          },
          {
            "cause": "The access token has expired.",
            "cure": "Refresh when expires_in has passed, or slightly earlier.",
            "check": "access_token.expired"
          },
          {
            "cause": "The access token's signature is wrong: it was changed, or cut.",
            "cure": "Send the access token as it was received.",
            "check": "access_token.signature_wrong"
          },
          {
            "cause": "The key that signed the access token is not, or no longer, this server's; or the token is an ID token.",
            "cure": "Send the access_token of the token answer, to the environment that issued it.",
            "check": "access_token.key_unknown"
          },
          {
            "cause": "The token is not an access token of this issuer: its type, issuer, audience or times are others.",
            "cure": "Send the access_token of the token answer (not the ID token), to the environment that issued it.",
            "check": "access_token.claims_wrong"
          },
          {
            "cause": "The person has no access to the platform instance, or was disabled since signing in.",
            "cure": "Nothing is wrong with the application. End its session of the person. A person who was disabled and enabled again can go on: Send the person to /auth/authorize again.",
            "check": "access_token.membership_lost"
          },
          {
            "cause": "The access token was revoked, or what it was issued from has ended.",
            "cure": "Send the person to /auth/authorize again. An operator can say more of it: gatehouse tokens explain.",
            "check": "family.not_live"
          }
        ]
      }
    ]
  },
  "login_required": {
    "meaning": "The person must sign in, and the request does not allow us to ask, or asks for somebody else.",
    "inAnswers": false,
    "answered": [
      {
        "said": "The id_token_hint cannot be read.",
        "causes": [
          {
            "cure": "Send an ID token of this issuer as it was received, or leave id_token_hint out.",
            "check": "id_token_hint.unreadable"
          }
        ]
      },
      {
        "said": "The person is not signed in.",
        "causes": [
          {
            "cause": "In this browser nobody is signed in, or not the person whom the request names, or the password was entered longer ago than max_age allows.",
            "cure": "This answer to prompt=none is expected. Send the person without prompt=none, so that they can sign in.",
            "check": "session.missing"
          }
        ]
      },
      {
        "said": "The signed-in person is not the one that the request names.",
        "causes": [
          {
            "cure": "Ask again without id_token_hint, or have the right person sign in.",
            "check": "session.other_person"
          }
        ]
      },
      {
        "said": "No person matches the subject that the request names.",
        "causes": [
          {
            "cure": "The claims parameter and id_token_hint ask for different people: send one of them.",
            "check": "session.nobody_asked_for"
          }
        ]
      }
    ]
  },
  "registration_not_supported": {
    "meaning": "The request describes the application, which must be registered beforehand.",
    "inAnswers": false,
    "answered": [
      {
        "said": "Registration with the request is not supported.",
        "causes": [
          {
            "cure": "Leave registration out, and have the application registered: gatehouse applications create.",
            "check": "registration.not_supported"
          }
        ]
      }
    ]
  },
  "request_not_supported": {
    "meaning": "The request sends its parameters in a request object.",
    "inAnswers": false,
    "answered": [
      {
        "said": "Request objects are not supported.",
        "causes": [
          {
            "cure": "Send the parameters themselves, without request and request_uri.",
            "check": "request.not_supported"
          }
        ]
      }
    ]
  },
  "request_uri_not_supported": {
    "meaning": "The request sends its parameters as a link to a request object.",
    "inAnswers": false,
    "answered": [
      {
        "said": "Request objects are not supported.",
        "causes": [
          {
            "cure": "Send the parameters themselves, without request and request_uri.",
            "check": "request_uri.not_supported"
          }
        ]
      }
    ]
  },
  "server_error": {
    "meaning": "Something went wrong on our side.",
    "inAnswers": true,
    "answered": [
      {
        "said": "Something went wrong on our side.",
        "causes": [
          {
            "cure": "Try again in a moment. If it stays so, an operator finds this request id in the log.",
            "check": "service.failed",
            "pages": [
              "Something went wrong on our side"
            ]
          }
        ]
      }
    ]
  },
  "temporarily_unavailable": {
    "meaning": "The server cannot answer at the moment.",
    "inAnswers": true,
    "answered": [
      {
        "said": "The service cannot answer at the moment.",
        "causes": [
          {
            "cause": "The server was too busy at that moment.",
            "cure": "Try again in a moment. If it stays so, an operator finds this request id in the log.",
            "check": "service.busy",
            "pages": [
              "We cannot continue at the moment"
            ]
          }
        ]
      }
    ]
  },
  "unauthorized_client": {
    "meaning": "The application is not registered for what it asks for.",
    "inAnswers": true,
    "answered": [
      {
        "said": "The application is not registered for the ‹grant›.",
        "causes": [
          {
            "cure": "Have the application registered for it: gatehouse applications update --grant-type.",
            "check": "grant.not_registered"
          }
        ]
      }
    ]
  },
  "unsupported_grant_type": {
    "meaning": "The grant type is not one that this server offers.",
    "inAnswers": true,
    "answered": [
      {
        "said": "The grant type must be ‹types›.",
        "causes": [
          {
            "cure": "Send grant_type=authorization_code or grant_type=refresh_token.",
            "check": "grant_type.unknown"
          }
        ]
      }
    ]
  },
  "unsupported_response_type": {
    "meaning": "The response type is not code.",
    "inAnswers": false,
    "answered": [
      {
        "said": "The response type must be code, not ‹type›.",
        "causes": [
          {
            "cure": "Send response_type=code; tokens come from the token endpoint.",
            "check": "response_type.not_code"
          }
        ]
      }
    ]
  }
} as const;

export type SignOnErrorCode = keyof typeof SIGN_ON_ERRORS;
