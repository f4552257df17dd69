/**
 * A sentence in pieces: its words, with the values where they belong. So a page can mark up a value without splitting
 * the sentence.
 */
type Sentence<Value> = readonly (string | Value)[];

const numbers = new Intl.NumberFormat("en");

/** How long a password may be, in characters. */
interface PasswordLengths {
  readonly min: number;
  readonly max: number;
}

/** Every sentence of the sign-on pages in English, for a person who knows nothing of OAuth. */
export const en = {
  /** BCP 47 tag of the language these sentences are in. */
  language: "en",

  login: {
    title: "Sign in",
    titleRefused: "Not signed in",
    heading: "Sign in",
    goingTo: <Value>(application: Value): Sentence<Value> => ["to continue to ", application],
    email: "E-mail address",
    password: "Password",
    /** A box that shows what is typed into the password fields of its form. */
    showPassword: "Show password",
    submit: "Sign in",
    // One sentence for an unknown person, a wrong password and a disabled person (R-S17).
    refused: "The e-mail address or the password is wrong. Check both and try again.",
    /** After too many failed attempts, with known and unknown addresses alike (R-X87). */
    wait: (seconds: number): string => `Too many failed sign-ins. Wait ${inWords(seconds)}, then try again.`,
    footer: <Value>(application: Value): Sentence<Value> => [
      "You are giving your password to Gatehouse. ",
      application,
      " never sees it.",
    ],
  },

  support: {
    /** In place of a contact, where the operator names none. */
    administrator: "the administrator of your company",
    /** After a failed sign-in. */
    forgotten: <Value>(contact: Value): Sentence<Value> => ["Forgotten your password? Contact ", contact, "."],
    reference: <Value>(reference: Value): Sentence<Value> => ["Give this reference: ", reference],
    /** On an error page, which shows the reference below. */
    stuck: <Value>(contact: Value): Sentence<Value> => [
      "If that does not help, contact ",
      contact,
      " and give the reference below.",
    ],
    /** What to do where the people who run the application can mend it. */
    stuckByApplication: <Value>(contact: Value): Sentence<Value> => [
      "If you get here again, contact the people who run the application, or ",
      contact,
      ", and give the reference below.",
    ],
    /** Subject of a message to the contact. */
    subject: (reference: string): string => `Sign-in, reference ${reference}`,
  },

  consent: {
    title: "Allow access",
    heading: <Value>(application: Value): Sentence<Value> => ["Let ", application, " know who you are?"],
    signedInAs: <Value>(email: Value): Sentence<Value> => ["You are signed in as ", email, "."],
    /** Leads to the sign-in page, where another person can sign in for the same application. */
    otherAccount: "Use another account",
    listHeading: "It will be able to",
    /** One line per scope (R-S8); continues `listHeading`, and `account.access`. */
    scopes: {
      openid: "recognise you when you come back, and see which companies you work with here",
      profile: "see your first and last name",
      email: "see your e-mail address and whether it is confirmed",
      offline_access: "stay connected while you are away, even after you sign out",
    },
    otherScope: <Value>(scope: Value): Sentence<Value> => ["use the permission ", scope],
    returnsTo: <Value>(origin: Value): Sentence<Value> => ["Afterwards you return to ", origin],
    approve: "Allow",
    deny: "Decline",
    footer: "If you did not expect this question, decline. Nothing is shared then.",
  },

  signOut: {
    title: "Sign out",
    heading: "Sign out?",
    asked: <Value>(application: Value): Sentence<Value> => [application, " asks to sign you out here."],
    yourself: "You are signed in here, in this browser.",
    effect:
      "Next time you have to enter your password. Applications that you allowed to stay connected keep their access.",
    submit: "Sign out",
    stay: "Stay signed in and go to your account",
    returnsTo: <Value>(origin: Value): Sentence<Value> => ["Afterwards you go to ", origin],
    footer: "If you did not want to sign out, close this page. Nothing has changed.",
    /** The way on from an error page of a sign-out. */
    instead: "Sign out here",
  },

  signedOut: {
    title: "Signed out",
    here: { heading: "You are signed out", effect: "You are no longer signed in on this browser." },
    everywhere: {
      heading: "You are signed out everywhere",
      effect: "You are no longer signed in on any device, and every application’s access has ended.",
    },
    applications: "You may still be signed in to open applications. Sign out there too.",
    application: <Value>(application: Value): Sentence<Value> => ["Go to ", application],
    account: "Sign in to your account",
    footer: "If others use this computer, close the browser now.",
  },

  setPassword: {
    first: { title: "Choose a password", heading: "Choose a password" },
    another: { title: "Choose a new password", heading: "Choose a new password" },
    titleRefused: "Password not accepted",
    rules: (min: number): string =>
      `At least ${numbers.format(min)} characters, of any kind. Three or four words that only you would put together are easy to remember and hard to guess.`,
    whose: <Value>(email: Value): Sentence<Value> => ["for ", email],
    password: "New password",
    again: "Repeat new password",
    showPasswords: "Show passwords",
    submit: "Set password",
    footer: "This link works once. Setting a password signs you out everywhere else.",
  },

  passwordFlaws: {
    tooShort: ({ min }: PasswordLengths): string =>
      `This password is too short. Use at least ${numbers.format(min)} characters.`,
    tooLong: ({ max }: PasswordLengths): string =>
      `This password is too long. Use at most ${numbers.format(max)} characters.`,
    pattern: (_: PasswordLengths): string =>
      "This password repeats itself, or follows the alphabet or the keyboard. Choose another.",
    common: (_: PasswordLengths): string => "This password is too common. Choose another.",
    personal: (_: PasswordLengths): string =>
      "This password is mostly your name, your e-mail address or the word Gatehouse. Choose another.",
    different: (_: PasswordLengths): string => "The two passwords are not the same. Enter the new password twice.",
  },

  passwordSet: {
    title: "Your password is set",
    whose: <Value>(email: Value): Sentence<Value> => [
      "Use it to sign in as ",
      email,
      ". You are signed out everywhere else.",
    ],
    next: "Go to the application that you want to use, and sign in there. You can close this page.",
    footer: "If you did not choose this password, contact your company’s administrator.",
  },

  formPost: {
    title: "Back to the application",
    heading: "Taking you back",
    lead: "If nothing happens, choose Continue.",
    submit: "Continue",
  },

  account: {
    title: "Your account",
    heading: "Your account",
    signedInAs: <Value>(email: Value): Sentence<Value> => ["You are signed in as ", email, "."],
    signInLead: "to see your account",
    /** After a form that came when the session had ended. */
    undone:
      "You were no longer signed in, so this form changed nothing. If you sent it twice, the first time may have done it. Sign in to see.",
    signInFooter: "Your account shows where you are signed in, and which applications have access to it.",
    /** What was done just now; the title is what a screen reader says first. */
    done: {
      session: { title: "Signed out there", effect: "You are signed out there." },
      access: {
        title: "Access removed",
        effect: "The access is removed. The application can no longer see your details.",
      },
      password: {
        title: "Password changed",
        effect: "Your password is changed. You are signed out everywhere else.",
      },
    },
    skip: "Skip to the content",
    /** Name of the list of links to the sections. */
    sections: "On this page",
    sessions: "Where you are signed in",
    thisBrowser: "this browser",
    /** Either may be empty: then it is unknown. */
    device: (browser: string, system: string): string => {
      if (browser === "") return system === "" ? "Unknown browser" : `Unknown browser on ${system}`;
      return system === "" ? browser : `${browser} on ${system}`;
    },
    signedInAt: <Value>(time: Value): Sentence<Value> => ["Signed in ", time, "."],
    lastUsedAt: <Value>(time: Value): Sentence<Value> => ["Last used ", time, "."],
    /** Where the times are those of the person's own zone. */
    zone: <Value>(zone: Value): Sentence<Value> => ["Times are in your time zone: ", zone, "."],
    endThisSession: "Sign out here",
    endSession: "Sign out there",
    everywhere: "Sign out everywhere",
    everywhereEffect: "Signs you out on every device, including this one, and ends every application’s access.",
    applications: "Applications with access to your account",
    noApplications: "None at the moment.",
    access: <Value>(application: Value, instance: Value): Sentence<Value> => [application, " (", instance, ") can:"],
    /** What is left is the person's consent, until they sign in there again. */
    endedAccess: <Value>(application: Value, instance: Value): Sentence<Value> => [
      application,
      " (",
      instance,
      ") has no access at the moment. You allowed it to:",
    ],
    since: <Value>(time: Value): Sentence<Value> => ["Since ", time, "."],
    withdraw: "Remove access",
    withdrawConsent: "Withdraw permission",
    signIns: "Recent sign-ins",
    succeeded: "Signed in",
    failed: "Failed sign-in",
    toAccount: "to your account",
    toApplication: <Value>(application: Value): Sentence<Value> => ["to ", application],
    signInsAdvice: "If one of these was not you, change your password.",
    password: "Your password",
    changePassword: "Change password",
    footer: "If others use this computer, sign out before you leave.",
    /** The way on from an error page. */
    back: "Go to your account",
  },

  changePassword: {
    title: "Change password",
    heading: "Change your password",
    old: "Current password",
    oldRefused: "The current password is wrong.",
    submit: "Change password",
    back: "Cancel",
    footer: "Changing it signs you out everywhere else and ends all applications’ access.",
  },

  errorPage: {
    whatToDo: "What you can do",
    oneOfThese: "Possible reasons:",
    reference: "Reference for support",
    retry: "Try again",
    startAgain: <Value>(host: Value): Sentence<Value> => ["Start again at ", host],
    /** Each with at least one cause; several are shown as a list. */
    reasons: {
      unknownApplication: {
        title: "This application is not registered here",
        causes: ["The page that sent you here names an application that is not registered, or none at all."],
        advice: "Go back to the application and start again.",
      },
      unregisteredRedirectUri: {
        title: "This application’s sign-in is not set up correctly",
        causes: [
          "The application asked us to send you to an address that it has not registered. To protect your account we stopped.",
        ],
        advice: "Nothing was shared. The people who run the application must correct its registration.",
      },
      interactionGone: {
        title: "This sign-in has ended",
        causes: [
          "It was finished, in this tab or in another one. The Back button of the browser also leads here.",
          "It was open for too long.",
          "Its address is incomplete.",
        ],
        advice: "Go back to the application and sign in from there.",
      },
      interactionElsewhere: {
        title: "This sign-in did not begin in this browser",
        causes: [
          "It began in another browser, on another device or in a private window.",
          "Its cookie is missing: this browser blocks cookies or has deleted them.",
          "It began at another address of this site, for example one without https.",
        ],
        advice:
          "Open the application in this browser and sign in from there. If you get here again, allow cookies for this site.",
      },
      formRefused: {
        title: "We did not accept this form",
        causes: [
          "It did not come from the page that we showed you. The reason may be a copied page, a browser extension or a very old tab.",
          "Somebody else has signed in in this browser since the page was shown.",
        ],
        advice: "Nothing was changed. Go back to the application and sign in from there.",
      },
      linkUnknown: {
        title: "This link is not valid",
        causes: [
          "Its address is incomplete. Mail programs sometimes cut a long address in two.",
          "It expired long ago and was deleted.",
        ],
        advice: "Open the link in the message itself, or copy all of it, or ask the sender for a new link.",
      },
      linkExpired: {
        title: "This link has expired",
        causes: ["Password links are valid for seven days. This one is older."],
        advice: "Ask the sender for a new link. Your current password, if you have one, stays valid.",
      },
      linkUsed: {
        title: "This link has been used",
        causes: ["A password was set with it. Each link works once."],
        advice:
          "Sign in with that password at the application that you want to use. If you did not set it, or have forgotten it, ask the sender for a new link.",
      },
      linkWithdrawn: {
        title: "This link is no longer valid",
        causes: [
          "A newer link was made for you. Only the newest one works.",
          "Your password has been set in another way since then.",
          "Your e-mail address has been changed or your account disabled since then.",
        ],
        advice: "Open the newest message that you have, or ask the sender for a new link.",
      },
      linkForm: {
        title: "We did not accept this form",
        causes: [
          "It did not come from the page that we showed you. The reason may be a copied page, a browser extension or a very old tab.",
        ],
        advice: "No password was set. Open the link in the message again.",
      },
      nothingHere: {
        title: "There is no page here",
        causes: ["The address is incomplete. Mail programs sometimes cut a long address in two.", "It was mistyped."],
        advice:
          "If a message brought you here, open the link in the message itself, or copy all of it. To sign in, go to the application that you want to use.",
      },
      unreadable: {
        title: "We cannot read this request",
        causes: ["The address that brought you here is damaged. The link may have been cut off or copied by hand."],
        advice: "Go back to the application and start again.",
      },
      accountForm: {
        title: "We did not accept this form",
        causes: [
          "It did not come from the page that we showed you. The reason may be a copied page, a browser extension or a very old tab.",
          "Somebody has signed in again in this browser since the page was shown.",
        ],
        advice: "Nothing was changed. Open your account again and repeat what you wanted to do.",
      },
      accountCookie: {
        title: "We did not accept this form",
        causes: [
          "The cookie of its page is missing: this browser blocks cookies or has deleted them.",
          "The page was open for more than an hour.",
          "You have signed in meanwhile, in another tab.",
        ],
        advice: "Nothing was changed. Open your account again. If you get here again, allow cookies for this site.",
      },
      logoutMalformed: {
        title: "We cannot read this request to sign out",
        causes: [
          "It is damaged: a part of it is repeated, much too long or cut off. The link may have been copied by hand.",
        ],
        advice: "It did not sign you out. You can sign out here.",
      },
      logoutHint: {
        title: "We do not recognise this request to sign out",
        causes: [
          "The application sent a proof of your sign-in that is not from us, or that was changed on the way.",
          "The proof can no longer be checked.",
        ],
        advice: "It did not sign you out. You can sign out here.",
      },
      logoutApplication: {
        title: "It is not clear who asks to sign you out",
        causes: [
          "The request names an application that is not registered here.",
          "The request has a proof of your sign-in that belongs to another application.",
        ],
        advice: "It did not sign you out. You can sign out here.",
      },
      logoutAddress: {
        title: "It is not clear where to send you afterwards",
        causes: [
          "The application asked us to send you to an address that it has not registered for this.",
          "It named an address, but not itself.",
        ],
        advice: "It did not sign you out. You can sign out here.",
      },
      logoutGone: {
        title: "This question has been answered",
        causes: [
          "You have already signed out with it, in this tab or in another one.",
          "It was open for too long.",
          "Its address is incomplete.",
        ],
        advice: "Not sure whether you are signed out? Continue here. You are asked only if you are still signed in.",
      },
      logoutForm: {
        title: "We did not accept this form",
        causes: [
          "It did not come from the page that we showed you. The reason may be a copied page, a browser extension or a very old tab.",
          "Somebody has signed in again in this browser since the page was shown.",
        ],
        advice: "You have not been signed out. You can sign out here.",
      },
      serverError: {
        title: "Something went wrong on our side",
        causes: ["The mistake is ours. It has nothing to do with what you entered."],
        advice: "Go back to the page that you came from, and try again.",
      },
      unavailable: {
        title: "We cannot continue at the moment",
        causes: ["Sign-in is down or overloaded at the moment."],
        advice: "Wait half a minute and try again. What you have done so far is kept.",
      },
    },
  },
};

/** A time to wait, never less than it is: seconds up to a minute, then whole minutes. */
function inWords(seconds: number): string {
  const [count, unit] = seconds <= 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return count === 1 ? `1 ${unit}` : `${numbers.format(count)} ${unit}s`;
}

/** The catalogue of one language. A language with a sentence missing does not compile. */
export type Texts = typeof en;
