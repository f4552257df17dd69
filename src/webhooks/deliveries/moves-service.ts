import { formerRepository } from "./former-repository.ts";
import type { DeliveryMoves } from "./moves.ts";
import { settledRepository } from "./settled-repository.ts";

/** Every way of a delivery from one table to the next. */
export const deliveryMoves: DeliveryMoves = { ...settledRepository, ...formerRepository };
