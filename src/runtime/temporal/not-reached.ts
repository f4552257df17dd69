/** What the check of Temporal says before the first look at the server has ended. */
export const NOT_REACHED_YET = "not reached yet";
