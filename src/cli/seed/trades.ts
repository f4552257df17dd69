/** A kind of company: its departments with their teams, and its jobs. */
export interface Trade {
  readonly companyWords: readonly string[];
  readonly departments: readonly {
    readonly name: string;
    readonly teams: readonly string[];
    readonly jobTitles: readonly string[];
  }[];
  readonly locations: readonly string[];
}

/** As in the demonstration: ordinary companies, all of them invented. */
export const TRADES: readonly Trade[] = [
  {
    companyWords: ["Logistics", "Freight", "Forwarding", "Haulage"],
    departments: [
      {
        name: "Warehouse",
        teams: ["Inbound", "Outbound", "Cold store"],
        jobTitles: ["Forklift driver", "Picker", "Shift lead", "Trainer"],
      },
      { name: "Fleet", teams: ["City routes", "Long haul"], jobTitles: ["Driver", "Route planner", "Mechanic"] },
      {
        name: "Office",
        teams: ["Payroll", "Customer desk"],
        jobTitles: ["Accountant", "Dispatcher", "Operations manager"],
      },
    ],
    locations: ["Harbour terminal", "Depot north", "Depot south"],
  },
  {
    companyWords: ["Clinic", "Care", "Hospital", "Health centre"],
    departments: [
      {
        name: "Nursing",
        teams: ["Ward 1", "Ward 2", "Night duty"],
        jobTitles: ["Nurse", "Head nurse", "Nursing assistant"],
      },
      {
        name: "Therapy",
        teams: ["Physiotherapy", "Occupational therapy"],
        jobTitles: ["Physiotherapist", "Therapist"],
      },
      { name: "Administration", teams: ["Reception", "Billing"], jobTitles: ["Receptionist", "Director", "Clerk"] },
    ],
    locations: ["Main building", "Rehabilitation centre"],
  },
  {
    companyWords: ["Construction", "Builders", "Carpentry", "Masonry"],
    departments: [
      {
        name: "Field",
        teams: ["Carpentry", "Masonry", "Cranes"],
        jobTitles: ["Carpenter", "Mason", "Crane operator", "Foreman", "Safety officer"],
      },
      { name: "Estimating", teams: ["Bids"], jobTitles: ["Estimator", "Surveyor"] },
    ],
    locations: ["Yard", "Riverside site", "Hillcrest site"],
  },
  {
    companyWords: ["Hotels", "Inn", "Bakery", "Catering"],
    departments: [
      {
        name: "House",
        teams: ["Front desk", "Housekeeping"],
        jobTitles: ["Receptionist", "Housekeeper", "Night porter"],
      },
      {
        name: "Kitchen",
        teams: ["Morning shift", "Evening shift"],
        jobTitles: ["Chef", "Cook", "Baker", "Apprentice"],
      },
    ],
    locations: ["Main house", "Annex"],
  },
];

/** First half of a company's name. */
export const COMPANY_NAMES: readonly string[] = [
  "Nordlicht",
  "Cedar & Stone",
  "Maple Harbour",
  "Bluestem",
  "Tilleuls",
  "Old Mill",
  "Sjöblom",
  "Redwood",
  "Lakeside",
  "Falke",
  "Meridian",
  "Three Rivers",
];
