import type { Texts } from "./en.ts";

const numbers = new Intl.NumberFormat("de");

/** No line ends behind its hyphen. The label of a field has plain letters, by which browsers recognise the field. */
const E_MAIL = "E-\u2060Mail";

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
    showPassword: "Passwort anzeigen",
    submit: "Anmelden",
    refused: `Die ${E_MAIL}-Adresse oder das Passwort ist falsch. Prüfen Sie beides und versuchen Sie es noch einmal.`,
    wait: (seconds) =>
      `Zu viele fehlgeschlagene Anmeldungen. Warten Sie ${inWords(seconds)} und versuchen Sie es dann noch einmal.`,
    footer: (application) => ["Ihr Passwort geben Sie nur Gatehouse. ", application, " sieht es nie."],
  },

  support: {
    administrator: "die Administration Ihrer Firma",
    forgotten: (contact) => ["Passwort vergessen? Wenden Sie sich an ", contact, "."],
    reference: (reference) => ["Nennen Sie diese Kennung: ", reference],
    stuck: (contact) => ["Hilft das nicht, wenden Sie sich an ", contact, " und nennen Sie die Kennung unten."],
    stuckByApplication: (contact) => [
      "Wenn Sie wieder hier ankommen, wenden Sie sich an die Betreiber der Anwendung oder an ",
      contact,
      " und nennen Sie die Kennung unten.",
    ],
    subject: (reference) => `Anmeldung, Kennung ${reference}`,
  },

  consent: {
    title: "Zugriff erlauben",
    heading: (application) => ["Darf ", application, " wissen, wer Sie sind?"],
    signedInAs: (email) => ["Sie sind angemeldet als ", email, "."],
    otherAccount: "Anderes Konto verwenden",
    listHeading: "Die Anwendung kann dann",
    scopes: {
      openid: "Sie wiedererkennen und sehen, mit welchen Firmen Sie hier arbeiten",
      profile: "Ihren Vor- und Nachnamen sehen",
      email: `Ihre ${E_MAIL}-Adresse sehen, und ob sie bestätigt ist`,
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
    yourself: "Sie sind in diesem Browser angemeldet.",
    effect:
      "Beim nächsten Mal geben Sie Ihr Passwort wieder ein. Anwendungen, die verbunden bleiben dürfen, behalten ihren Zugriff.",
    submit: "Abmelden",
    stay: "Angemeldet bleiben und zu Ihrem Konto",
    returnsTo: (origin) => ["Danach geht es weiter zu ", origin],
    footer: "Wenn Sie sich nicht abmelden wollten, schließen Sie diese Seite. Es hat sich nichts geändert.",
    instead: "Hier abmelden",
  },

  signedOut: {
    title: "Abgemeldet",
    here: { heading: "Sie sind abgemeldet", effect: "Sie sind in diesem Browser nicht mehr angemeldet." },
    everywhere: {
      heading: "Sie sind überall abgemeldet",
      effect: "Sie sind auf keinem Gerät mehr angemeldet, und der Zugriff aller Anwendungen ist beendet.",
    },
    applications: "In geöffneten Anwendungen sind Sie vielleicht noch angemeldet. Melden Sie sich auch dort ab.",
    application: (application) => ["Weiter zu ", application],
    account: "Im eigenen Konto anmelden",
    footer: "Wenn andere diesen Computer mitbenutzen, schließen Sie jetzt den Browser.",
  },

  setPassword: {
    first: { title: "Passwort wählen", heading: "Wählen Sie ein Passwort" },
    another: { title: "Neues Passwort wählen", heading: "Wählen Sie ein neues Passwort" },
    titleRefused: "Passwort nicht angenommen",
    rules: (min) =>
      `Mindestens ${numbers.format(min)} Zeichen, beliebig gewählt. Drei oder vier Wörter, die nur Sie so zusammenstellen würden, sind leicht zu merken und schwer zu erraten.`,
    whose: (email) => ["für ", email],
    password: "Neues Passwort",
    again: "Neues Passwort wiederholen",
    showPasswords: "Passwörter anzeigen",
    submit: "Passwort festlegen",
    footer: "Dieser Link gilt einmal. Mit dem neuen Passwort werden Sie überall sonst abgemeldet.",
  },

  passwordFlaws: {
    tooShort: ({ min }) => `Dieses Passwort ist zu kurz. Verwenden Sie mindestens ${numbers.format(min)} Zeichen.`,
    tooLong: ({ max }) => `Dieses Passwort ist zu lang. Verwenden Sie höchstens ${numbers.format(max)} Zeichen.`,
    pattern: () => "Dieses Passwort wiederholt sich oder folgt dem Alphabet oder der Tastatur. Wählen Sie ein anderes.",
    common: () => "Dieses Passwort ist zu verbreitet. Wählen Sie ein anderes.",
    personal: () =>
      `Dieses Passwort besteht fast nur aus Ihrem Namen, Ihrer ${E_MAIL}-Adresse oder dem Wort Gatehouse. Wählen Sie ein anderes.`,
    different: () => "Die beiden Passwörter sind nicht gleich. Geben Sie das neue Passwort zweimal ein.",
  },

  passwordSet: {
    title: "Ihr Passwort ist festgelegt",
    whose: (email) => ["Melden Sie sich damit als ", email, " an. Überall sonst sind Sie jetzt abgemeldet."],
    next: "Gehen Sie zu der Anwendung, die Sie benutzen möchten, und melden Sie sich dort an. Diese Seite können Sie schließen.",
    footer: "Wenn nicht Sie dieses Passwort gewählt haben, wenden Sie sich an die Administration Ihrer Firma.",
  },

  formPost: {
    title: "Zurück zur Anwendung",
    heading: "Sie werden zurückgeleitet",
    lead: "Wenn nichts geschieht, wählen Sie „Weiter“.",
    submit: "Weiter",
  },

  account: {
    title: "Ihr Konto",
    heading: "Ihr Konto",
    signedInAs: (email) => ["Sie sind angemeldet als ", email, "."],
    signInLead: "und weiter zu Ihrem Konto",
    undone:
      "Sie waren nicht mehr angemeldet, deshalb hat dieses Formular nichts geändert. Wenn Sie es zweimal geschickt haben, kann es beim ersten Mal geschehen sein. Melden Sie sich an, um es zu sehen.",
    signInFooter: "In Ihrem Konto sehen Sie, wo Sie angemeldet sind und welche Anwendungen Zugriff darauf haben.",
    done: {
      session: { title: "Dort abgemeldet", effect: "Sie sind dort abgemeldet." },
      access: {
        title: "Zugriff entzogen",
        effect: "Der Zugriff ist entzogen. Die Anwendung kann Ihre Angaben nicht mehr sehen.",
      },
      password: {
        title: "Passwort geändert",
        effect: "Ihr Passwort ist geändert. Überall sonst sind Sie abgemeldet.",
      },
    },
    skip: "Zum Inhalt springen",
    sections: "Auf dieser Seite",
    sessions: "Wo Sie angemeldet sind",
    thisBrowser: "dieser Browser",
    device: (browser, system) => {
      if (browser === "") return system === "" ? "Unbekannter Browser" : `Unbekannter Browser unter ${system}`;
      return system === "" ? browser : `${browser} unter ${system}`;
    },
    signedInAt: (time) => ["Angemeldet: ", time, "."],
    lastUsedAt: (time) => ["Zuletzt benutzt: ", time, "."],
    zone: (zone) => ["Alle Zeiten in Ihrer Zeitzone: ", zone, "."],
    endThisSession: "Hier abmelden",
    endSession: "Dort abmelden",
    everywhere: "Überall abmelden",
    everywhereEffect: "Meldet Sie auf allen Geräten ab, auch auf diesem, und beendet den Zugriff aller Anwendungen.",
    applications: "Anwendungen mit Zugriff auf Ihr Konto",
    noApplications: "Zurzeit keine.",
    access: (application, instance) => [application, " (", instance, ") darf:"],
    endedAccess: (application, instance) => [
      application,
      " (",
      instance,
      ") hat zurzeit keinen Zugriff. Von Ihnen erlaubt ist:",
    ],
    since: (time) => ["Seit: ", time, "."],
    withdraw: "Zugriff entziehen",
    withdrawConsent: "Erlaubnis entziehen",
    signIns: "Letzte Anmeldungen",
    succeeded: "Angemeldet",
    failed: "Fehlgeschlagene Anmeldung",
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
    oldRefused: "Das bisherige Passwort ist falsch.",
    submit: "Passwort ändern",
    back: "Abbrechen",
    footer: "Eine Änderung meldet Sie überall sonst ab und beendet den Zugriff aller Anwendungen.",
  },

  errorPage: {
    whatToDo: "Was Sie tun können",
    oneOfThese: "Mögliche Gründe:",
    reference: "Kennung für Rückfragen",
    retry: "Noch einmal versuchen",
    startAgain: (host) => ["Neu beginnen bei ", host],
    reasons: {
      unknownApplication: {
        title: "Diese Anwendung ist hier nicht registriert",
        causes: ["Die Seite, von der Sie kommen, nennt eine Anwendung, die nicht registriert ist, oder gar keine."],
        advice: "Gehen Sie zurück zur Anwendung und beginnen Sie dort neu.",
      },
      unregisteredRedirectUri: {
        title: "Die Anmeldung dieser Anwendung ist nicht richtig eingerichtet",
        causes: [
          "Die Anwendung wollte Sie an eine Adresse schicken lassen, die sie nicht registriert hat. Zum Schutz Ihres Kontos wurde die Anmeldung angehalten.",
        ],
        advice: "Es wurde nichts weitergegeben. Die Betreiber der Anwendung müssen deren Registrierung berichtigen.",
      },
      interactionGone: {
        title: "Diese Anmeldung ist beendet",
        causes: [
          "Sie wurde schon abgeschlossen, in diesem Tab oder in einem anderen. Auch „Zurück“ im Browser führt hierher.",
          "Sie war zu lange offen.",
          "Die Adresse dieser Anmeldung ist unvollständig.",
        ],
        advice: "Gehen Sie zurück zur Anwendung und melden Sie sich von dort aus an.",
      },
      interactionElsewhere: {
        title: "Diese Anmeldung hat nicht in diesem Browser begonnen",
        causes: [
          "Sie begann in einem anderen Browser, auf einem anderen Gerät oder in einem privaten Fenster.",
          "Das Cookie dieser Anmeldung fehlt: Dieser Browser blockiert Cookies oder hat sie gelöscht.",
          "Sie begann unter einer anderen Adresse dieser Seite, zum Beispiel einer ohne https.",
        ],
        advice:
          "Öffnen Sie die Anwendung in diesem Browser und melden Sie sich von dort aus an. Wenn Sie wieder hier ankommen, erlauben Sie Cookies für diese Seite.",
      },
      formRefused: {
        title: "Wir haben dieses Formular nicht angenommen",
        causes: [
          "Es kam nicht von der Seite, die wir Ihnen gezeigt haben. Der Grund kann eine kopierte Seite, eine Erweiterung des Browsers oder ein sehr alter Tab sein.",
          "Seit die Seite gezeigt wurde, hat sich jemand anderes in diesem Browser angemeldet.",
        ],
        advice: "Es wurde nichts geändert. Gehen Sie zurück zur Anwendung und melden Sie sich von dort aus an.",
      },
      linkUnknown: {
        title: "Dieser Link ist ungültig",
        causes: [
          "Seine Adresse ist unvollständig. Mailprogramme zerteilen eine lange Adresse manchmal.",
          "Er ist schon lange abgelaufen und wurde gelöscht.",
        ],
        advice:
          "Öffnen Sie den Link in der Nachricht selbst, kopieren Sie ihn ganz, oder bitten Sie den Absender um einen neuen Link.",
      },
      linkExpired: {
        title: "Dieser Link ist abgelaufen",
        causes: ["Passwort-Links gelten sieben Tage. Dieser ist älter."],
        advice: "Bitten Sie den Absender um einen neuen Link. Ein Passwort, das Sie schon haben, gilt weiter.",
      },
      linkUsed: {
        title: "Dieser Link wurde schon benutzt",
        causes: ["Mit ihm wurde ein Passwort festgelegt. Jeder Link gilt einmal."],
        advice:
          "Melden Sie sich mit diesem Passwort bei der Anwendung an, die Sie benutzen möchten. Wenn nicht Sie es festgelegt haben oder Sie es vergessen haben, bitten Sie den Absender um einen neuen Link.",
      },
      linkWithdrawn: {
        title: "Dieser Link gilt nicht mehr",
        causes: [
          "Für Sie wurde ein neuerer Link erstellt. Nur der neueste gilt.",
          "Ihr Passwort wurde seitdem auf anderem Weg festgelegt.",
          `Seitdem wurde Ihre ${E_MAIL}-Adresse geändert oder Ihr Konto gesperrt.`,
        ],
        advice: "Öffnen Sie die neueste Nachricht, die Sie haben, oder bitten Sie den Absender um einen neuen Link.",
      },
      linkForm: {
        title: "Wir haben dieses Formular nicht angenommen",
        causes: [
          "Es kam nicht von der Seite, die wir Ihnen gezeigt haben. Der Grund kann eine kopierte Seite, eine Erweiterung des Browsers oder ein sehr alter Tab sein.",
        ],
        advice: "Es wurde kein Passwort festgelegt. Öffnen Sie den Link in der Nachricht noch einmal.",
      },
      nothingHere: {
        title: "Hier ist keine Seite",
        causes: [
          "Die Adresse ist unvollständig. Mailprogramme zerteilen eine lange Adresse manchmal.",
          "Sie ist falsch geschrieben.",
        ],
        advice:
          "Wenn Sie aus einer Nachricht kommen, öffnen Sie den Link in der Nachricht selbst oder kopieren Sie ihn ganz. Um sich anzumelden, gehen Sie zu der Anwendung, die Sie benutzen möchten.",
      },
      unreadable: {
        title: "Wir können diese Anfrage nicht lesen",
        causes: [
          "Die Adresse, die Sie hierher geführt hat, ist beschädigt. Vielleicht wurde der Link abgeschnitten oder von Hand kopiert.",
        ],
        advice: "Gehen Sie zurück zur Anwendung und beginnen Sie dort neu.",
      },
      accountForm: {
        title: "Wir haben dieses Formular nicht angenommen",
        causes: [
          "Es kam nicht von der Seite, die wir Ihnen gezeigt haben. Der Grund kann eine kopierte Seite, eine Erweiterung des Browsers oder ein sehr alter Tab sein.",
          "Seit die Seite gezeigt wurde, hat sich jemand in diesem Browser neu angemeldet.",
        ],
        advice: "Es wurde nichts geändert. Öffnen Sie Ihr Konto neu und wiederholen Sie, was Sie tun wollten.",
      },
      accountCookie: {
        title: "Wir haben dieses Formular nicht angenommen",
        causes: [
          "Das Cookie seiner Seite fehlt: Dieser Browser blockiert Cookies oder hat sie gelöscht.",
          "Die Seite war länger als eine Stunde offen.",
          "Sie haben sich inzwischen in einem anderen Tab angemeldet.",
        ],
        advice:
          "Es wurde nichts geändert. Öffnen Sie Ihr Konto neu. Wenn Sie wieder hier ankommen, erlauben Sie Cookies für diese Seite.",
      },
      logoutMalformed: {
        title: "Wir können diese Bitte um Abmeldung nicht lesen",
        causes: [
          "Sie ist beschädigt: Ein Teil davon ist doppelt, viel zu lang oder abgeschnitten. Vielleicht wurde der Link von Hand kopiert.",
        ],
        advice: "Sie wurden dadurch nicht abgemeldet. Sie können sich hier abmelden.",
      },
      logoutHint: {
        title: "Wir erkennen diese Bitte um Abmeldung nicht",
        causes: [
          "Der Nachweis Ihrer Anmeldung, den die Anwendung schickt, ist nicht von uns oder wurde unterwegs verändert.",
          "Der Nachweis lässt sich nicht mehr prüfen.",
        ],
        advice: "Sie wurden dadurch nicht abgemeldet. Sie können sich hier abmelden.",
      },
      logoutApplication: {
        title: "Es ist nicht klar, wer Sie abmelden möchte",
        causes: [
          "Die Bitte nennt eine Anwendung, die hier nicht registriert ist.",
          "Der mitgeschickte Nachweis Ihrer Anmeldung gehört zu einer anderen Anwendung.",
        ],
        advice: "Sie wurden dadurch nicht abgemeldet. Sie können sich hier abmelden.",
      },
      logoutAddress: {
        title: "Es ist nicht klar, wohin es danach gehen soll",
        causes: [
          "Die Anwendung nennt eine Adresse, die sie dafür nicht registriert hat.",
          "Sie nennt eine Adresse, aber nicht sich selbst.",
        ],
        advice: "Sie wurden dadurch nicht abgemeldet. Sie können sich hier abmelden.",
      },
      logoutGone: {
        title: "Diese Frage ist beantwortet",
        causes: [
          "Sie haben sich damit schon abgemeldet, in diesem Tab oder in einem anderen.",
          "Sie war zu lange offen.",
          "Die Adresse dieser Frage ist unvollständig.",
        ],
        advice:
          "Wenn Sie nicht sicher sind, ob Sie abgemeldet sind, gehen Sie hier weiter. Sie werden nur gefragt, wenn Sie noch angemeldet sind.",
      },
      logoutForm: {
        title: "Wir haben dieses Formular nicht angenommen",
        causes: [
          "Es kam nicht von der Seite, die wir Ihnen gezeigt haben. Der Grund kann eine kopierte Seite, eine Erweiterung des Browsers oder ein sehr alter Tab sein.",
          "Seit die Seite gezeigt wurde, hat sich jemand in diesem Browser neu angemeldet.",
        ],
        advice: "Sie wurden nicht abgemeldet. Sie können sich hier abmelden.",
      },
      serverError: {
        title: "Bei uns ist etwas schiefgegangen",
        causes: ["Der Fehler liegt bei uns, nicht an Ihren Eingaben."],
        advice: "Gehen Sie zurück zu der Seite, von der Sie gekommen sind, und versuchen Sie es noch einmal.",
      },
      unavailable: {
        title: "Im Moment geht es nicht weiter",
        causes: ["Die Anmeldung ist gerade nicht erreichbar oder überlastet."],
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
