/** The port that an address of `http` or `https` leads to, named or not. */
export const urlPort = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "http:" ? 80 : 443) : Number(port);
