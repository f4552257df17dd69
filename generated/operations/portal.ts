// Made by `make generate`. Do not edit.

/** Method and path template of each operation of portal.yaml. */
export const operations = {
  "showFrontPage": {
    "method": "GET",
    "path": "/"
  },
  "getOverview": {
    "method": "GET",
    "path": "/llms.txt"
  },
  "findContracts": {
    "method": "GET",
    "path": "/contracts"
  },
  "getContract": {
    "method": "GET",
    "path": "/contracts/{file}"
  },
  "showDocumentationIndex": {
    "method": "GET",
    "path": "/docs"
  },
  "findGuides": {
    "method": "GET",
    "path": "/docs/guides"
  },
  "showGuide": {
    "method": "GET",
    "path": "/docs/guides/{guide}"
  },
  "searchDocumentation": {
    "method": "GET",
    "path": "/docs/search"
  },
  "showDocumentation": {
    "method": "GET",
    "path": "/docs/{page}"
  },
  "listProblems": {
    "method": "GET",
    "path": "/problems"
  },
  "showProblem": {
    "method": "GET",
    "path": "/problems/{problem}"
  },
  "findSdks": {
    "method": "GET",
    "path": "/sdks"
  },
  "getSdk": {
    "method": "GET",
    "path": "/sdks/{file}"
  },
  "findTools": {
    "method": "GET",
    "path": "/tools"
  },
  "getTool": {
    "method": "GET",
    "path": "/tools/{file}"
  },
  "getAsset": {
    "method": "GET",
    "path": "/assets/{file}"
  }
} as const;
