// Made by `make generate`. Do not edit.

/** Method and path template of each operation of portal.yaml. */
export const operations = {
  "showFrontPage": {
    "method": "GET",
    "path": "/"
  },
  "getContract": {
    "method": "GET",
    "path": "/contracts/{file}"
  },
  "showDocumentationIndex": {
    "method": "GET",
    "path": "/docs"
  },
  "showGuide": {
    "method": "GET",
    "path": "/docs/guides/{guide}"
  },
  "showDocumentation": {
    "method": "GET",
    "path": "/docs/{page}"
  },
  "showProblem": {
    "method": "GET",
    "path": "/problems/{problem}"
  },
  "getSdk": {
    "method": "GET",
    "path": "/sdks/{file}"
  },
  "getAsset": {
    "method": "GET",
    "path": "/assets/{file}"
  }
} as const;
