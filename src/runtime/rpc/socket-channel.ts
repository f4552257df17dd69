/** Largest message either way, in bytes. */
export const MESSAGE_BYTES_MAX = 32 * 1024 * 1024;

/** Options of both ends. In a file of its own: a client that took them from the server would load all that serves. */
export const CHANNEL_OPTIONS = {
  "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
  "grpc.max_send_message_length": MESSAGE_BYTES_MAX,
  // Node's default of 10 MB per HTTP/2 session ends busy connections (grpc/grpc-node#1158).
  "grpc-node.max_session_memory": 256,
  // For one call and for the connection. With the default of 64 KB one long stream fills the connection, and other
  // calls wait until it ends, since nghttp2 sends data of the older call first.
  "grpc-node.flow_control_window": 1024 * 1024,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
};
