/** `jobTitles` as `job_titles`. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `jobTitles` as `JobTitles`. */
export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
