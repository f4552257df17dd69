/**
 * Names, streets and formats of a country, for made-up people and places. Telephone numbers are ranges reserved for
 * fiction, or none.
 */
export interface Country {
  readonly isoCountryCode: string;
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly streets: readonly string[];
  /** Whether the number comes before the street. */
  readonly numberFirst?: boolean;
  readonly towns: readonly { readonly city: string; readonly postalCode: string; readonly zoneCode?: string }[];
  /** `#` is replaced by a digit. */
  readonly phone?: string;
}

const words = (text: string): readonly string[] => text.split(", ");

const germany: Country = {
  isoCountryCode: "DE",
  firstNames: words(
    "Anke, Birgit, Carsten, Dilara, Emre, Friederike, Gero, Henrike, Ilka, Jette, Kemal, Leonie, Malte, Nele, Ole, Yasmin",
  ),
  lastNames: words(
    "Albers, Brandt, Clausen, Demir, Evers, Friedrichs, Gerdes, Haddad, Jansen, Kowalski, Lüders, Möller, Petersen, Reimers, Schröder, Yılmaz",
  ),
  streets: words("Lindenallee, Mühlenweg, Deichstieg, Rosenstieg, Heckenweg, Kastanienhof, Am Pegel"),
  towns: [
    { city: "Hamburg", postalCode: "20457", zoneCode: "HH" },
    { city: "Bremen", postalCode: "28195", zoneCode: "HB" },
    { city: "Leipzig", postalCode: "04109", zoneCode: "SN" },
  ],
  phone: "+49 40 66969 ###",
};

const france: Country = {
  isoCountryCode: "FR",
  firstNames: words(
    "Aurélie, Bastien, Chloé, Damien, Émile, Fatou, Gaëlle, Hugo, Idris, Jeanne, Karim, Lucie, Mathis, Noémie, Solène, Théo",
  ),
  lastNames: words(
    "Arnaud, Benali, Chevalier, Diallo, Estève, Fontaine, Garnier, Hamel, Kerbrat, Lambert, Marchetti, Nguyen, Perrin, Roussel, Tessier, Vidal",
  ),
  streets: words("rue du Verger, allée des Tilleuls, quai des Brumes, rue Basse, impasse du Moulin, montée du Puits"),
  numberFirst: true,
  towns: [
    { city: "Lyon", postalCode: "69004", zoneCode: "ARA" },
    { city: "Nantes", postalCode: "44000", zoneCode: "PDL" },
    { city: "Lille", postalCode: "59000", zoneCode: "HDF" },
  ],
  phone: "+33 4 65 71 ## ##",
};

const sweden: Country = {
  isoCountryCode: "SE",
  firstNames: words(
    "Amina, Björn, Cecilia, David, Ebba, Filippa, Goran, Hedda, Isak, Johanna, Kerstin, Lars, Maja, Nils, Saga, Åsa",
  ),
  lastNames: words(
    "Andersson, Berglund, Dahl, Ekström, Forsberg, Göransson, Holm, Isaksson, Lindgren, Månsson, Nyström, Petrović, Sjöberg, Wallin, Yusuf, Öberg",
  ),
  streets: words("Mjölnargränd, Kvarnbacken, Ängsvägen, Tallstigen, Brogatan, Björkallén, Sjöstigen"),
  towns: [
    { city: "Stockholm", postalCode: "116 32" },
    { city: "Göteborg", postalCode: "411 03" },
    { city: "Malmö", postalCode: "211 20" },
  ],
  phone: "+46 8 465 004 ##",
};

const poland: Country = {
  isoCountryCode: "PL",
  firstNames: words(
    "Agnieszka, Bartosz, Dorota, Ewelina, Grzegorz, Hanna, Jakub, Katarzyna, Łukasz, Magda, Paweł, Renata, Stanisław, Tomasz, Wiktoria, Zofia",
  ),
  lastNames: words(
    "Adamczyk, Bąk, Czarnecka, Dąbrowski, Górski, Jabłońska, Kamiński, Lewandowska, Mazur, Nowak, Pawlak, Szulc, Tomczak, Wójcik, Zając, Zieliński",
  ),
  streets: words("ul. Lipowa, ul. Polna, ul. Ogrodowa, ul. Młyńska, ul. Kwiatowa, ul. Brzozowa"),
  towns: [
    { city: "Szczecin", postalCode: "70-001", zoneCode: "ZP" },
    { city: "Kraków", postalCode: "30-001", zoneCode: "MA" },
    { city: "Łódź", postalCode: "90-001", zoneCode: "LD" },
  ],
};

const spain: Country = {
  isoCountryCode: "ES",
  firstNames: words(
    "Adrián, Begoña, Carmen, Diego, Elena, Fermín, Gloria, Hugo, Inés, Jorge, Lucía, Manuel, Nuria, Óscar, Pilar, Rocío",
  ),
  lastNames: words(
    "Aguilar, Blanco, Castro, Domínguez, Esteban, Fuentes, Gallego, Herrero, Iglesias, Lozano, Molina, Núñez, Ortega, Peña, Ramos, Serrano",
  ),
  streets: words("Calle del Olivo, Calle Mayor, Avenida del Puerto, Paseo de la Ribera, Calle de la Fuente"),
  towns: [
    { city: "Valencia", postalCode: "46001", zoneCode: "VC" },
    { city: "Bilbao", postalCode: "48001", zoneCode: "PV" },
  ],
};

const unitedStates: Country = {
  isoCountryCode: "US",
  firstNames: words(
    "Anh, Brianna, Curtis, Dana, Elijah, Grace, Hannah, Imani, Jesús, Keisha, Luis, Marcus, Noor, Priya, Rosa, Tyler",
  ),
  lastNames: words(
    "Barnes, Begay, Carter, Delgado, Fitzgerald, Hayes, Johnson, Kim, Moretti, Nguyen, Okafor, Patel, Ramirez, Schmitt, Tran, Whitfield",
  ),
  streets: words("Alder Court, Mill Road, Heron Lane, Juniper Street, Basalt Way, Larch Avenue, Orchard Drive"),
  numberFirst: true,
  towns: [
    { city: "Portland", postalCode: "97209", zoneCode: "OR" },
    { city: "Austin", postalCode: "78701", zoneCode: "TX" },
    { city: "Columbus", postalCode: "43215", zoneCode: "OH" },
  ],
  phone: "+1 503 555 01##",
};

const canada: Country = {
  isoCountryCode: "CA",
  firstNames: words(
    "Amélie, Callum, Desmond, Étienne, Fiona, Gurpreet, Harpreet, Isabelle, Jonah, Leilani, Mariam, Noah, Sadie, Tess, Wei, Yvonne",
  ),
  lastNames: words(
    "Bouchard, Chan, Clarke, Cormier, Doiron, Francis, Gill, Leblanc, MacLeod, Paul, Reid, Sampson, Sesay, Singh, Tremblay, Wong",
  ),
  streets: words("Wharf Lane, Bayview Terrace, Spruce Street, Lighthouse Road, Chapel Hill"),
  numberFirst: true,
  towns: [
    { city: "Halifax", postalCode: "B3J 1A1", zoneCode: "NS" },
    { city: "Winnipeg", postalCode: "R3C 0A5", zoneCode: "MB" },
  ],
  phone: "+1 902 555 01##",
};

const japan: Country = {
  isoCountryCode: "JP",
  firstNames: words("愛, 大輔, 恵美, 浩, 一郎, 純子, 健太, 美咲, 直樹, 翔, 咲良, 拓也"),
  lastNames: words("阿部, 藤田, 長谷川, 井上, 加藤, 小林, 中村, 大野, 佐藤, 鈴木, 高橋, 山本"),
  streets: words("桜通り, 本町, 緑ヶ丘, 海岸通り"),
  towns: [
    { city: "横浜市", postalCode: "220-0012", zoneCode: "14" },
    { city: "札幌市", postalCode: "060-0001", zoneCode: "01" },
  ],
};

export const COUNTRIES: readonly Country[] = [germany, france, sweden, poland, spain, unitedStates, canada, japan];
