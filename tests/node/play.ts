/** Plays a whole game with nothing but what the generated types say: `node play.js URL`. */

import type { components, paths } from "./api.js";

declare const process: { argv: string[] };

type Token = components["schemas"]["IssuedToken"];
type LegalMoves = components["schemas"]["LegalMoves"];
type Move = components["schemas"]["MoveRequest"]["move"];

type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : never;
type Request<Operation> = Operation extends { requestBody?: infer Body }
  ? Json<NonNullable<Body>>
  : never;
type Answer<Operation> = Operation extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201)]>
  : never;

const url = process.argv[2];

async function call<Path extends keyof paths, Method extends "get" | "post">(
  method: Method,
  path: Path,
  more: { id?: string; token?: string; query?: string; body?: Request<paths[Path][Method]> },
): Promise<Answer<paths[Path][Method]>> {
  const address = url + path.replace("{game_id}", more.id ?? "") + (more.query ?? "");
  const headers: Record<string, string> = {};
  if (more.token) headers["Authorization"] = `Bearer ${more.token}`;
  if (more.body) headers["Content-Type"] = "application/json";
  const body = more.body ? JSON.stringify(more.body) : null;
  const answer = await fetch(address, { method: method.toUpperCase(), headers, body });
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer<paths[Path][Method]>;
}

async function register(name: string): Promise<Token> {
  const body = { name: `${name}-${Date.now() % 1e9}`, password: "correct horse battery" };
  return call("post", "/v1/accounts", { body });
}

function choose(legal: LegalMoves): Move {
  const moves: Move[] = [...legal.moves, ...legal.open_moves.map((open) => open.example)];
  const move = moves[Math.floor(Math.random() * moves.length)];
  if (!move) throw new Error(`no legal move for seat ${legal.seat}`);
  return move;
}

async function main(): Promise<void> {
  const players = await Promise.all(["ana", "beatriz", "carlos"].map(register));
  const [creator, ...others] = players;
  if (!creator) throw new Error("nobody plays");
  const { id } = await call("post", "/v1/games", { token: creator.token, body: {} });
  for (const { token } of others) {
    await call("post", "/v1/games/{game_id}/players", { id, token, body: {} });
  }
  let { state } = await call("post", "/v1/games/{game_id}/start", { id, token: creator.token });
  const seats = state.seats.map((account) => players.find((one) => one.account.id === account));
  let moves = 0;
  while (state.status === "running") {
    const asked = state.awaiting[0];
    const token = asked && seats[asked.seat]?.token;
    if (!token) throw new Error("nobody is asked");
    const query = `?min_version=${state.version}`;
    const legal = await call("get", "/v1/games/{game_id}/legal-moves", { id, token, query });
    const body = { move: choose(legal) };
    ({ state } = await call("post", "/v1/games/{game_id}/moves", { id, token, body }));
    moves += 1;
  }
  console.log(`${state.status} after ${moves} moves, won by ${JSON.stringify(state.winners)}`);
}

await main();
