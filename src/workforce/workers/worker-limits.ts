/** Most job titles of one worker. */
export const JOB_TITLES_MAX = 20;
/** Most units that one worker is placed in. */
export const UNITS_MAX = 100;
