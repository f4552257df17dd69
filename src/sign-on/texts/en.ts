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
    goingTo: <Value>(application: Value): Sentence<Value> => ["to go on to ", application],
    email: "E-mail address",
    password: "Password",
    submit: "Sign in",
    // One sentence for an unknown person, a wrong password and a disabled person (R-S17).
    refused: "The e-mail address or the password is not right. Check both and try again.",
    /** After too many failed attempts, with known and unknown addresses alike (R-X87). */
    wait: (seconds: number): string =>
      `Too many attempts to sign in have failed. Wait ${inWords(seconds)}, then try again.`,
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
    /** Subject of a message to the contact. */
    subject: (reference: string): string => `Sign-in, reference ${reference}`,
  },

  consent: {
    title: "Allow access",
    heading: <Value>(application: Value): Sentence<Value> => ["Let ", application, " know who you are?"],
    signedInAs: <Value>(email: Value): Sentence<Value> => ["You are signed in as ", email, "."],
    listHeading: "It will be able to",
    /** One line per scope (R-S8); continues `listHeading`. */
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

  signOut: {
    title: "Sign out",
    heading: "Sign out?",
    asked: <Value>(application: Value): Sentence<Value> => [application, " asks to sign you out here."],
    yourself: "You are signed in here, in this browser.",
    effect:
      "You will have to enter your password the next time. Applications that you allowed to stay connected while you are away keep their access.",
    submit: "Sign out",
    stay: "Stay signed in, and see your account",
    returnsTo: <Value>(origin: Value): Sentence<Value> => ["Afterwards you are sent to ", origin],
    footer: "If you did not want to sign out, close this page. Nothing has changed.",
    /** The way on from an error page of a sign-out. */
    instead: "Sign out here",
  },

  signedOut: {
    title: "Signed out",
    heading: "You are signed out",
    effect: "This browser is no longer signed in here.",
    applications:
      "An application that is still open may go on knowing you until you sign out there, too, or close the browser.",
    footer: "On a computer that others use, close the browser now.",
  },

  setPassword: {
    first: { title: "Choose a password", heading: "Choose a password" },
    another: { title: "Choose a new password", heading: "Choose a new password" },
    titleRefused: "Password not taken",
    rules: (min: number): string =>
      `At least ${numbers.format(min)} characters, of any kind. Three or four words that only you would put together are easy to remember and hard to guess.`,
    whose: <Value>(email: Value): Sentence<Value> => ["for ", email],
    password: "New password",
    again: "The same password once more",
    submit: "Set password",
    footer: "This link works once. It signs you out in all other browsers.",
  },

  passwordFlaws: {
    tooShort: ({ min }: PasswordLengths): string =>
      `This password is too short. Choose one of ${numbers.format(min)} characters or more.`,
    tooLong: ({ max }: PasswordLengths): string =>
      `This password is too long. Choose one of at most ${numbers.format(max)} characters.`,
    pattern: (_: PasswordLengths): string =>
      "This password repeats one piece, or follows the alphabet or the keyboard. Others guess that first; choose another one.",
    common: (_: PasswordLengths): string =>
      "This password is one of the most common ones with little beside it. Others guess that first; choose another one.",
    personal: (_: PasswordLengths): string =>
      "This password is made of your name, your e-mail address or the word Gatehouse, with little beside it. Choose something that has no connection with you.",
    different: (_: PasswordLengths): string => "The two entries are not the same. Enter the new password twice.",
  },

  passwordSet: {
    title: "Your password is set",
    whose: <Value>(email: Value): Sentence<Value> => [
      "From now on you sign in as ",
      email,
      " with it. Wherever you were signed in before, you are signed out.",
    ],
    next: "Go to the application that you want to use, and sign in there. You can close this page.",
    footer: "If it was not you who chose this password, tell the people who run the platform.",
  },

  formPost: {
    title: "Back to the application",
    heading: "You are on your way back",
    lead: "The application has your answer in a moment. If nothing happens, go on yourself.",
    submit: "Go on to the application",
  },

  account: {
    title: "Your account",
    heading: "Your account",
    signedInAs: <Value>(email: Value): Sentence<Value> => ["You are signed in as ", email, "."],
    signInLead: "to see your account",
    signInFooter: "Here you see where you are signed in, and which applications may know you.",
    /** What was done just now. */
    done: {
      session: "That session has ended.",
      access: "The access is withdrawn. The application can no longer see anything of you.",
      password: "Your password is changed. Everywhere else you are signed out.",
    },
    sessions: "Where you are signed in",
    thisBrowser: "this browser",
    /** Either may be empty: then we do not know it. */
    device: (browser: string, system: string): string => {
      if (browser === "") return system === "" ? "A browser that we do not know" : `A browser on ${system}`;
      return system === "" ? browser : `${browser} on ${system}`;
    },
    signedInAt: <Value>(time: Value): Sentence<Value> => ["Signed in ", time, "."],
    lastUsedAt: <Value>(time: Value): Sentence<Value> => ["Last used ", time, "."],
    endSession: "Sign out",
    everywhere: "Sign out everywhere",
    everywhereEffect:
      "Signing out everywhere ends all of these, this one included, and the access of every application, also of those that stay connected.",
    applications: "Applications that may know you",
    noApplications: "None at the moment.",
    access: <Value>(application: Value, instance: Value): Sentence<Value> => [application, ", on ", instance, ", may"],
    since: <Value>(time: Value): Sentence<Value> => ["Since ", time, "."],
    withdraw: "Withdraw",
    signIns: "Your last sign-ins",
    succeeded: "Signed in",
    failed: "Failed",
    toAccount: "to your account",
    toApplication: <Value>(application: Value): Sentence<Value> => ["to ", application],
    signInsAdvice: "If one of these was not you, change your password.",
    password: "Your password",
    changePassword: "Change password",
    footer: "On a computer that others use, sign out before you leave.",
    /** The way on from an error page. */
    back: "Go to your account",
  },

  changePassword: {
    title: "Change password",
    heading: "Change your password",
    old: "Current password",
    oldRefused: "The current password is not right.",
    submit: "Change password",
    back: "Back to your account, without a change",
    footer: "Everywhere else you are signed out then, and applications lose their access.",
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
          "The application asks us to send you to an address that it has not registered. The owner of that address could sign in as you, so we stop here.",
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
      linkUnknown: {
        title: "We do not know this link",
        causes: [
          "Its address is incomplete. Mail programs sometimes cut a long address in two.",
          "It ended so long ago that we do not remember it.",
        ],
        advice:
          "Open the link from the message itself, or copy all of it. If that does not help, ask its sender for a new one.",
      },
      linkExpired: {
        title: "This link has expired",
        causes: ["A link to set a password is good for seven days, and these are over."],
        advice: "Ask its sender for a new one. Until then your password, if you have one, stays as it is.",
      },
      linkUsed: {
        title: "This link has been used",
        causes: ["A password was set with it. Such a link works once."],
        advice:
          "Sign in with that password at the application that you want to use. If it was not you who set it, or you have forgotten it, ask the sender of the link for a new one.",
      },
      linkWithdrawn: {
        title: "This link is not good any more",
        causes: [
          "A newer link was made for you; only the newest one works.",
          "Your password was set in another way since.",
          "Your e-mail address was changed, or you were locked out, since.",
        ],
        advice: "Open the newest message that you have, or ask its sender for a new link.",
      },
      unreadable: {
        title: "We cannot read this request",
        causes: [
          "The address that brought you here is damaged. A link that was cut off or copied by hand can be behind this.",
        ],
        advice:
          "Go back to the application and start again there. If you end up here once more, tell the people who run it, with the reference below.",
      },
      accountForm: {
        title: "We did not accept this form",
        causes: [
          "It did not come from the page that we showed you. A copied page, a browser extension or a very old tab can be behind this.",
          "You have signed in anew in this browser since the page was shown.",
        ],
        advice: "Nothing was changed. Open your account again and repeat what you wanted to do.",
      },
      logoutMalformed: {
        title: "We cannot read this request to sign out",
        causes: [
          "It is damaged: a part of it is repeated, far too long, or cut off. A link that was copied by hand can be behind this.",
        ],
        advice: "You have not been signed out by it. You can sign out here.",
      },
      logoutHint: {
        title: "We do not recognise this request to sign out",
        causes: [
          "The application shows us a proof of your sign-in that we did not give it, or that was changed on the way.",
          "The proof is so old that we no longer keep the key to check it.",
        ],
        advice:
          "You have not been signed out by it. You can sign out here. If this happens again, tell the people who run the application, with the reference below.",
      },
      logoutApplication: {
        title: "We do not know who asks to sign you out",
        causes: [
          "The request names an application that is not registered with us.",
          "The proof of your sign-in that came along was given to another application.",
        ],
        advice:
          "You have not been signed out by it. You can sign out here. If this happens again, tell the people who run the application, with the reference below.",
      },
      logoutAddress: {
        title: "We do not know where to send you afterwards",
        causes: [
          "The application wants you sent to an address that it has not registered for this.",
          "It names an address, but not itself.",
        ],
        advice:
          "You have not been signed out by it. You can sign out here. If this happens again, tell the people who run the application, with the reference below.",
      },
      logoutGone: {
        title: "This question has been answered",
        causes: [
          "You have signed out with it before, in this tab or in another one.",
          "It was left open for too long.",
          "Its address is incomplete.",
        ],
        advice: "If you are not sure whether you are signed out, go on here: we ask only where somebody is signed in.",
      },
      logoutForm: {
        title: "We did not accept this form",
        causes: [
          "It did not come from the page that we showed you. A copied page, a browser extension or a very old tab can be behind this.",
          "Somebody has signed in anew in this browser since the page was shown.",
        ],
        advice: "You have not been signed out. You can sign out here.",
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

/** A time to wait, never less than it is: seconds up to a minute, then whole minutes. */
function inWords(seconds: number): string {
  const [count, unit] = seconds <= 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return count === 1 ? `1 ${unit}` : `${numbers.format(count)} ${unit}s`;
}

/** The catalogue of one language. A language with a sentence missing does not compile. */
export type Texts = typeof en;
