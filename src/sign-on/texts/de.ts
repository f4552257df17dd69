import type { Texts } from "./en.ts";

const numbers = new Intl.NumberFormat("de");

/** Every sentence of the sign-on pages in German. */
export const de: Texts = {
  language: "de",

  login: {
    title: "Anmelden",
    titleRefused: "Nicht angemeldet",
    heading: "Anmelden",
    goingTo: (application) => ["und weiter zu ", application],
    email: "E-Mail-Adresse",
    password: "Passwort",
    submit: "Anmelden",
    refused: "Die E-Mail-Adresse oder das Passwort stimmt nicht. Prüfen Sie beides und versuchen Sie es noch einmal.",
    wait: (seconds) =>
      `Zu viele Anmeldeversuche sind fehlgeschlagen. Warten Sie ${inWords(seconds)} und versuchen Sie es dann noch einmal.`,
    footer: (application) => ["Ihr Passwort geben Sie nur Gatehouse. ", application, " bekommt es nie zu sehen."],
  },

  support: {
    administrator: "die Administration Ihrer Firma",
    forgotten: (contact) => ["Passwort vergessen? Wenden Sie sich an ", contact, "."],
    reference: (reference) => ["Nennen Sie diese Kennung: ", reference],
    stuck: (contact) => ["Hilft das nicht, wenden Sie sich an ", contact, " und nennen Sie die Kennung unten."],
    subject: (reference) => `Anmeldung, Kennung ${reference}`,
  },

  consent: {
    title: "Zugriff erlauben",
    heading: (application) => ["Darf ", application, " wissen, wer Sie sind?"],
    signedInAs: (email) => ["Sie sind angemeldet als ", email, "."],
    listHeading: "Die Anwendung kann dann",
    scopes: {
      openid: "Sie wiedererkennen und sehen, mit welchen Firmen Sie hier arbeiten",
      profile: "Ihren Vor- und Nachnamen sehen",
      email: "Ihre E-Mail-Adresse sehen, und ob sie bestätigt ist",
      offline_access: "verbunden bleiben, während Sie nicht da sind, auch nachdem Sie sich abgemeldet haben",
    },
    otherScope: (scope) => ["die Berechtigung ", scope, " nutzen"],
    returnsTo: (origin) => ["Danach geht es zurück zu ", origin],
    approve: "Erlauben",
    deny: "Ablehnen",
    footer: "Wenn Sie diese Frage nicht erwartet haben, lehnen Sie ab. Dann wird nichts weitergegeben.",
  },

  signOut: {
    title: "Abmelden",
    heading: "Abmelden?",
    asked: (application) => [application, " bittet darum, Sie hier abzumelden."],
    yourself: "Sie sind hier in diesem Browser angemeldet.",
    effect:
      "Beim nächsten Mal müssen Sie Ihr Passwort wieder eingeben. Anwendungen, denen Sie erlaubt haben, in Ihrer Abwesenheit verbunden zu bleiben, behalten ihren Zugriff.",
    submit: "Abmelden",
    stay: "Angemeldet bleiben und zum eigenen Konto",
    returnsTo: (origin) => ["Danach geht es weiter zu ", origin],
    footer: "Wenn Sie sich nicht abmelden wollten, schließen Sie diese Seite. Es hat sich nichts geändert.",
    instead: "Hier abmelden",
  },

  signedOut: {
    title: "Abgemeldet",
    heading: "Sie sind abgemeldet",
    effect: "In diesem Browser ist hier niemand mehr angemeldet.",
    applications:
      "Eine Anwendung, die noch offen ist, kennt Sie vielleicht weiter, bis Sie sich auch dort abmelden oder den Browser schließen.",
    footer: "Wenn andere diesen Computer mitbenutzen, schließen Sie jetzt den Browser.",
  },

  setPassword: {
    first: { title: "Passwort wählen", heading: "Wählen Sie ein Passwort" },
    another: { title: "Neues Passwort wählen", heading: "Wählen Sie ein neues Passwort" },
    titleRefused: "Passwort nicht angenommen",
    rules: (min) =>
      `Mindestens ${numbers.format(min)} Zeichen, gleich welcher Art. Drei oder vier Wörter, die nur Sie so zusammenstellen würden, sind leicht zu merken und schwer zu erraten.`,
    whose: (email) => ["für ", email],
    password: "Neues Passwort",
    again: "Dasselbe Passwort noch einmal",
    submit: "Passwort festlegen",
    footer: "Dieser Link gilt einmal. Wer anderswo mit Ihrem Konto angemeldet ist, wird abgemeldet.",
  },

  passwordFlaws: {
    tooShort: ({ min }) =>
      `Dieses Passwort ist zu kurz. Wählen Sie eines mit mindestens ${numbers.format(min)} Zeichen.`,
    tooLong: ({ max }) => `Dieses Passwort ist zu lang. Wählen Sie eines mit höchstens ${numbers.format(max)} Zeichen.`,
    pattern: () =>
      "Dieses Passwort wiederholt ein Stück oder folgt dem Alphabet oder der Tastatur. So etwas raten andere zuerst; wählen Sie ein anderes.",
    common: () =>
      "Dieses Passwort ist eines der häufigsten und enthält sonst nur wenig. So etwas raten andere zuerst; wählen Sie ein anderes.",
    personal: () =>
      "Dieses Passwort besteht aus Ihrem Namen, Ihrer E-Mail-Adresse oder dem Wort Gatehouse und sonst nur wenig. Wählen Sie etwas, das niemand mit Ihnen verbindet.",
    different: () => "Die beiden Eingaben sind nicht gleich. Geben Sie das neue Passwort zweimal ein.",
  },

  passwordSet: {
    title: "Ihr Passwort ist festgelegt",
    whose: (email) => [
      "Von jetzt an melden Sie sich damit als ",
      email,
      " an. Überall, wo Sie vorher angemeldet waren, sind Sie abgemeldet.",
    ],
    next: "Gehen Sie zu der Anwendung, die Sie benutzen möchten, und melden Sie sich dort an. Diese Seite können Sie schließen.",
    footer: "Wenn nicht Sie dieses Passwort gewählt haben, melden Sie das den Betreibern der Plattform.",
  },

  formPost: {
    title: "Zurück zur Anwendung",
    heading: "Sie sind auf dem Weg zurück",
    lead: "Gleich hat die Anwendung Ihre Antwort. Wenn nichts geschieht, gehen Sie selbst weiter.",
    submit: "Weiter zur Anwendung",
  },

  account: {
    title: "Ihr Konto",
    heading: "Ihr Konto",
    signedInAs: (email) => ["Sie sind angemeldet als ", email, "."],
    signInLead: "und weiter zu Ihrem Konto",
    signInFooter: "Hier sehen Sie, wo Sie angemeldet sind und welche Anwendungen Sie kennen dürfen.",
    done: {
      session: "Diese Sitzung ist beendet.",
      access: "Der Zugriff ist entzogen. Die Anwendung kann nichts mehr von Ihnen sehen.",
      password: "Ihr Passwort ist geändert. Überall sonst sind Sie abgemeldet.",
    },
    sessions: "Wo Sie angemeldet sind",
    thisBrowser: "dieser Browser",
    device: (browser, system) => {
      if (browser === "") return system === "" ? "Ein Browser, den wir nicht kennen" : `Ein Browser unter ${system}`;
      return system === "" ? browser : `${browser} unter ${system}`;
    },
    signedInAt: (time) => ["Angemeldet: ", time, "."],
    lastUsedAt: (time) => ["Zuletzt benutzt: ", time, "."],
    endSession: "Abmelden",
    everywhere: "Überall abmelden",
    everywhereEffect:
      "Wenn Sie sich überall abmelden, enden alle diese Sitzungen, auch diese hier, und der Zugriff aller Anwendungen, auch derer, die verbunden bleiben.",
    applications: "Anwendungen, die Sie kennen dürfen",
    noApplications: "Zurzeit keine.",
    access: (application, instance) => [application, " auf ", instance, " darf"],
    since: (time) => ["Seit: ", time, "."],
    withdraw: "Entziehen",
    signIns: "Ihre letzten Anmeldungen",
    succeeded: "Angemeldet",
    failed: "Fehlgeschlagen",
    toAccount: "beim eigenen Konto",
    toApplication: (application) => ["bei ", application],
    signInsAdvice: "Wenn eine davon nicht von Ihnen war, ändern Sie Ihr Passwort.",
    password: "Ihr Passwort",
    changePassword: "Passwort ändern",
    footer: "Wenn andere diesen Computer mitbenutzen, melden Sie sich ab, bevor Sie gehen.",
    back: "Zu Ihrem Konto",
  },

  changePassword: {
    title: "Passwort ändern",
    heading: "Ändern Sie Ihr Passwort",
    old: "Bisheriges Passwort",
    oldRefused: "Das bisherige Passwort stimmt nicht.",
    submit: "Passwort ändern",
    back: "Zurück zu Ihrem Konto, ohne etwas zu ändern",
    footer: "Überall sonst sind Sie dann abgemeldet, und Anwendungen verlieren ihren Zugriff.",
  },

  errorPage: {
    whatToDo: "Was Sie tun können",
    oneOfThese: "Der Grund ist einer von diesen:",
    reference: "Kennung für Rückfragen",
    retry: "Noch einmal versuchen",
    startAgain: (host) => ["Neu beginnen bei ", host],
    reasons: {
      unknownApplication: {
        title: "Wir kennen diese Anwendung nicht",
        causes: [
          "Die Seite, von der Sie kommen, nennt eine Anwendung, die bei uns nicht eingetragen ist, oder gar keine.",
        ],
        advice:
          "Gehen Sie zurück zur Anwendung und beginnen Sie dort neu. Wenn Sie wieder hier ankommen, melden Sie das den Betreibern und nennen Sie dabei die Kennung unten.",
      },
      unregisteredRedirectUri: {
        title: "Wir kennen den Weg zurück nicht",
        causes: [
          "Die Anwendung möchte, dass wir Sie an eine Adresse schicken, die sie nicht eingetragen hat. Wer hinter dieser Adresse steht, könnte sich als Sie anmelden. Deshalb halten wir hier an.",
        ],
        advice:
          "Es wurde nichts weitergegeben. Melden Sie das den Betreibern der Anwendung und nennen Sie dabei die Kennung unten.",
      },
      interactionGone: {
        title: "Diese Anmeldung ist beendet",
        causes: [
          "Sie wurde schon abgeschlossen, in diesem Tab oder in einem anderen. Auch wer im Browser zurückgeht, kommt hierher.",
          "Sie war zu lange offen.",
          "Ihre Adresse ist unvollständig.",
        ],
        advice: "Gehen Sie zurück zur Anwendung und melden Sie sich von dort aus an.",
      },
      interactionElsewhere: {
        title: "Diese Anmeldung hat nicht in diesem Browser begonnen",
        causes: [
          "Sie wurde in einem anderen Browser, auf einem anderen Gerät oder in einem privaten Fenster begonnen.",
          "Das Cookie, das dazugehört, ist nicht angekommen: Dieser Browser blockiert Cookies oder hat sie gelöscht.",
          "Sie wurde unter einer anderen Adresse dieser Seite begonnen, zum Beispiel unter einer ohne https.",
        ],
        advice:
          "Öffnen Sie die Anwendung in diesem Browser und melden Sie sich von dort aus an. Wenn Sie wieder hier ankommen, erlauben Sie Cookies für diese Seite.",
      },
      formRefused: {
        title: "Wir haben dieses Formular nicht angenommen",
        causes: [
          "Es kam nicht von der Seite, die wir Ihnen gezeigt haben. Dahinter kann eine kopierte Seite, eine Erweiterung des Browsers oder ein sehr alter Tab stecken.",
        ],
        advice: "Es wurde nichts geändert. Gehen Sie zurück zur Anwendung und melden Sie sich von dort aus an.",
      },
      linkUnknown: {
        title: "Wir kennen diesen Link nicht",
        causes: [
          "Seine Adresse ist unvollständig. Mailprogramme zerteilen eine lange Adresse manchmal.",
          "Er ist schon so lange abgelaufen, dass wir ihn nicht mehr kennen.",
        ],
        advice:
          "Öffnen Sie den Link aus der Nachricht selbst, oder kopieren Sie ihn ganz. Wenn das nicht hilft, bitten Sie die Stelle, von der Sie ihn haben, um einen neuen.",
      },
      linkExpired: {
        title: "Dieser Link ist abgelaufen",
        causes: ["Ein Link, mit dem man ein Passwort festlegt, gilt sieben Tage, und die sind vorbei."],
        advice:
          "Bitten Sie die Stelle, von der Sie ihn haben, um einen neuen. Bis dahin bleibt Ihr Passwort, wenn Sie eines haben, wie es ist.",
      },
      linkUsed: {
        title: "Dieser Link wurde schon benutzt",
        causes: ["Mit ihm wurde ein Passwort festgelegt. Ein solcher Link gilt einmal."],
        advice:
          "Melden Sie sich mit diesem Passwort bei der Anwendung an, die Sie benutzen möchten. Wenn nicht Sie es festgelegt haben oder Sie es vergessen haben, bitten Sie die Stelle, von der Sie den Link haben, um einen neuen.",
      },
      linkWithdrawn: {
        title: "Dieser Link gilt nicht mehr",
        causes: [
          "Für Sie wurde ein neuerer Link gemacht; nur der neueste gilt.",
          "Ihr Passwort wurde seitdem auf anderem Weg festgelegt.",
          "Seitdem wurde Ihre E-Mail-Adresse geändert, oder Sie wurden gesperrt.",
        ],
        advice:
          "Öffnen Sie die neueste Nachricht, die Sie haben, oder bitten Sie die Stelle, von der Sie den Link haben, um einen neuen.",
      },
      unreadable: {
        title: "Wir können diese Anfrage nicht lesen",
        causes: [
          "Die Adresse, die Sie hierher geführt hat, ist beschädigt. Dahinter kann ein Link stecken, der abgeschnitten oder von Hand kopiert wurde.",
        ],
        advice:
          "Gehen Sie zurück zur Anwendung und beginnen Sie dort neu. Wenn Sie wieder hier ankommen, melden Sie das den Betreibern und nennen Sie dabei die Kennung unten.",
      },
      accountForm: {
        title: "Wir haben dieses Formular nicht angenommen",
        causes: [
          "Es kam nicht von der Seite, die wir Ihnen gezeigt haben. Dahinter kann eine kopierte Seite, eine Erweiterung des Browsers oder ein sehr alter Tab stecken.",
          "Seit die Seite gezeigt wurde, haben Sie sich in diesem Browser neu angemeldet.",
        ],
        advice: "Es wurde nichts geändert. Öffnen Sie Ihr Konto neu und wiederholen Sie, was Sie tun wollten.",
      },
      logoutMalformed: {
        title: "Wir können diese Bitte um Abmeldung nicht lesen",
        causes: [
          "Sie ist beschädigt: Etwas darin steht doppelt, ist viel zu lang oder wurde abgeschnitten. Dahinter kann ein Link stecken, der von Hand kopiert wurde.",
        ],
        advice: "Sie wurden dadurch nicht abgemeldet. Sie können sich hier abmelden.",
      },
      logoutHint: {
        title: "Wir erkennen diese Bitte um Abmeldung nicht",
        causes: [
          "Die Anwendung zeigt uns einen Nachweis Ihrer Anmeldung, den wir ihr nicht gegeben haben oder der unterwegs verändert wurde.",
          "Der Nachweis ist so alt, dass wir den Schlüssel, um ihn zu prüfen, nicht mehr haben.",
        ],
        advice:
          "Sie wurden dadurch nicht abgemeldet. Sie können sich hier abmelden. Wenn das noch einmal geschieht, melden Sie das den Betreibern der Anwendung und nennen Sie dabei die Kennung unten.",
      },
      logoutApplication: {
        title: "Wir wissen nicht, wer Sie abmelden möchte",
        causes: [
          "Die Bitte nennt eine Anwendung, die bei uns nicht eingetragen ist.",
          "Der mitgeschickte Nachweis Ihrer Anmeldung wurde einer anderen Anwendung gegeben.",
        ],
        advice:
          "Sie wurden dadurch nicht abgemeldet. Sie können sich hier abmelden. Wenn das noch einmal geschieht, melden Sie das den Betreibern der Anwendung und nennen Sie dabei die Kennung unten.",
      },
      logoutAddress: {
        title: "Wir wissen nicht, wohin es danach gehen soll",
        causes: [
          "Die Anwendung möchte, dass Sie danach an eine Adresse kommen, die sie dafür nicht eingetragen hat.",
          "Sie nennt eine Adresse, aber nicht sich selbst.",
        ],
        advice:
          "Sie wurden dadurch nicht abgemeldet. Sie können sich hier abmelden. Wenn das noch einmal geschieht, melden Sie das den Betreibern der Anwendung und nennen Sie dabei die Kennung unten.",
      },
      logoutGone: {
        title: "Diese Frage ist beantwortet",
        causes: [
          "Sie haben sich damit schon abgemeldet, in diesem Tab oder in einem anderen.",
          "Sie war zu lange offen.",
          "Ihre Adresse ist unvollständig.",
        ],
        advice:
          "Wenn Sie nicht sicher sind, ob Sie abgemeldet sind, gehen Sie hier weiter: Wir fragen nur, wo jemand angemeldet ist.",
      },
      logoutForm: {
        title: "Wir haben dieses Formular nicht angenommen",
        causes: [
          "Es kam nicht von der Seite, die wir Ihnen gezeigt haben. Dahinter kann eine kopierte Seite, eine Erweiterung des Browsers oder ein sehr alter Tab stecken.",
          "Seit die Seite gezeigt wurde, hat sich jemand in diesem Browser neu angemeldet.",
        ],
        advice: "Sie wurden nicht abgemeldet. Sie können sich hier abmelden.",
      },
      serverError: {
        title: "Bei uns ist etwas schiefgegangen",
        causes: ["Der Fehler liegt bei uns. Mit dem, was Sie eingegeben haben, hat er nichts zu tun."],
        advice:
          "Gehen Sie zurück zur Anwendung und melden Sie sich noch einmal an. Wenn Sie wieder hier ankommen, melden Sie es uns und nennen Sie dabei die Kennung unten.",
      },
      unavailable: {
        title: "Im Moment geht es nicht weiter",
        causes: ["Ein Teil der Anmeldung ist nicht erreichbar oder hat mehr zu tun, als er schafft."],
        advice:
          "Warten Sie eine halbe Minute und versuchen Sie es noch einmal. Was Sie bisher getan haben, bleibt erhalten.",
      },
    },
  },
};

/** A time to wait, never less than it is: seconds up to a minute, then whole minutes. */
function inWords(seconds: number): string {
  if (seconds <= 60) return seconds === 1 ? "1 Sekunde" : `${seconds} Sekunden`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 Minute" : `${numbers.format(minutes)} Minuten`;
}
