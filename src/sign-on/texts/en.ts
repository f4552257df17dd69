/** A sentence in pieces: its words, with the values where they belong. A page can so set a value apart without cutting the sentence. */
export type Sentence<Value> = readonly (string | Value)[];

/** Every sentence of the sign-on pages in English, for a person who knows nothing of OAuth. */
export const en = {
  /** BCP 47 tag of the language these sentences are in. */
  language: "en",

  login: {
    title: "Sign in",
    titleRefused: "Not signed in",
    heading: "Sign in",
    goingTo: <Value>(application: Value): Sentence<Value> => ["to go on to ", application],
    email: "E-mail address",
    password: "Password",
    submit: "Sign in",
    // One sentence for an unknown person, a wrong password and a disabled person (R-S17).
    refused: "The e-mail address or the password is not right. Check both and try again.",
    footer: <Value>(application: Value): Sentence<Value> => [
      "You are giving your password to Gatehouse. ",
      application,
      " never sees it.",
    ],
  },

  consent: {
    title: "Allow access",
    heading: <Value>(application: Value): Sentence<Value> => ["Let ", application, " know who you are?"],
    signedInAs: <Value>(email: Value): Sentence<Value> => ["You are signed in as ", email, "."],
    listHeading: "It will be able to",
    /** One line per scope (R-S8); goes on from `listHeading`. */
    scopes: {
      openid: "recognise you when you come back, and see which companies you work with here",
      profile: "see your first and last name",
      email: "see your e-mail address and whether it is confirmed",
      offline_access: "stay connected while you are away, even after you sign out",
    },
    otherScope: <Value>(scope: Value): Sentence<Value> => ["use the permission ", scope],
    returnsTo: <Value>(origin: Value): Sentence<Value> => ["Afterwards you are sent back to ", origin],
    approve: "Allow",
    deny: "Decline",
    footer: "If you did not expect this question, decline. Nothing is shared then.",
  },

  formPost: {
    title: "Back to the application",
    heading: "You are on your way back",
    lead: "The application has your answer in a moment. If nothing happens, go on yourself.",
    submit: "Go on to the application",
  },

  errorPage: {
    whatToDo: "What you can do",
    oneOfThese: "One of these is the reason:",
    reference: "Reference for support",
    retry: "Try again",
    startAgain: <Value>(host: Value): Sentence<Value> => ["Begin again at ", host],
    /** Each with at least one cause; several are shown as a list. */
    reasons: {
      unknownApplication: {
        title: "We do not know this application",
        causes: ["The page that sent you here names an application that is not registered with us, or names none."],
        advice:
          "Go back to the application and start again there. If you end up here once more, tell the people who run it, with the reference below.",
      },
      unregisteredRedirectUri: {
        title: "We do not know the way back",
        causes: [
          "The application asks us to send you to an address that it has not registered. Whoever is behind that address could sign in as you, so we stop here.",
        ],
        advice: "Nothing was shared. Tell the people who run the application, with the reference below.",
      },
      interactionGone: {
        title: "This sign-in has ended",
        causes: [
          "It was finished before, in this tab or in another one. Going back in the browser leads here, too.",
          "It was left open for too long.",
          "Its address is incomplete.",
        ],
        advice: "Go back to the application and sign in from there.",
      },
      interactionElsewhere: {
        title: "This sign-in did not begin in this browser",
        causes: [
          "It was begun in another browser, on another device or in a private window.",
          "The cookie that belongs to it did not arrive: this browser blocks cookies, or has deleted them.",
          "It was begun at another address of this site, for example one without https.",
        ],
        advice:
          "Open the application in this browser and sign in from there. If you end up here once more, allow cookies for this site.",
      },
      formRefused: {
        title: "We did not accept this form",
        causes: [
          "It did not come from the page that we showed you. A copied page, a browser extension or a very old tab can be behind this.",
        ],
        advice: "Nothing was changed. Go back to the application and sign in from there.",
      },
      unreadable: {
        title: "We cannot read this request",
        causes: [
          "The address that brought you here is damaged. A link that was cut off or copied by hand can be behind this.",
        ],
        advice:
          "Go back to the application and start again there. If you end up here once more, tell the people who run it, with the reference below.",
      },
      serverError: {
        title: "Something went wrong on our side",
        causes: ["The mistake is ours. It has nothing to do with what you entered."],
        advice:
          "Go back to the application and sign in once more. If you end up here again, tell us, with the reference below.",
      },
      unavailable: {
        title: "We cannot go on at the moment",
        causes: ["A part of the sign-in cannot be reached, or has more to do than it can."],
        advice: "Wait half a minute and try again. What you have done so far is kept.",
      },
    },
  },
};

/** The catalogue of one language. A language with a sentence missing does not compile. */
export type Texts = typeof en;
