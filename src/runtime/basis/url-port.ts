/** The port that an address of `http` or `https` leads to, named or not. */
export const urlPort = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "http:" ? 80 : 443) : Number(port);

/** Whether a text is a port to connect to: digits, from 1 to 65535. */
export const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
