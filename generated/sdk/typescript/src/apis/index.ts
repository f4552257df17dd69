/* tslint:disable */
/* eslint-disable */
export * from './GatewayApi.js';
export * from './SignOnApi.js';
