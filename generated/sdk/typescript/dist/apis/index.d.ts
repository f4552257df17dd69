export * from './GatewayApi.js';
export * from './SignOnApi.js';
