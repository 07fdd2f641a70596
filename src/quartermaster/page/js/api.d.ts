// Made by tools/page_types.py from the server's OpenAPI description: do not edit.

export interface AheadView {
  decision: Decision;
  actions: Choice[];
}

export interface Answer {
  number: number;
  text: string;
  ask?: number;
}

export interface AskView {
  decision: Decision;
  actions: Choice[];
  answer: string | null;
  number: number;
}

export interface At {
  number: number;
}

export interface BoardData {
  spaces: SpaceData[];
  borders: string[][];
  straits: StraitData[];
}

export interface BotData {
  name: string;
  title: string;
  about: string;
  settings: string[];
}

export interface BroughtView {
  by: string;
  actions: number;
  deal: "fresh" | "as-recorded";
  needs_agreement: boolean;
  agreed: string[];
  has_your_agreement: boolean;
  view: View | null;
}

export interface Check {
  id: string;
  is_right: boolean;
  text: string;
}

export interface Choice {
  country: string;
  text: string;
  phrase: string;
  verb: string;
  card?: string | null;
  space?: string | null;
  piece?: string | null;
  target?: string | null;
  leads_to?: string[];
  loses?: string[];
  is_idle?: boolean;
}

export interface Clock {
  kind?: "none" | "live" | "async";
  minutes?: number;
  increment?: number;
  days?: number;
}

export interface Contribution {
  added: string;
}

export interface ContributionView {
  seat: number;
  name: string;
  added: string;
  is_yours: boolean;
}

export interface CountryView {
  country: string;
  team: string;
  armies: string[];
  navies: string[];
  air_forces: string[];
  reserve: Record<string, number>;
  table: string[];
  discard_top: string | null;
  hand_size: number;
  deck_size: number;
  discard_size: number;
  set_size: number;
  hand: string[] | null;
  face_up: string[] | null;
  face_down: string[] | null;
  set: string[] | null;
  deck: string[] | null;
}

export interface Credentials {
  name: string;
  password: string;
}

export interface DealProof {
  commitment: string;
  secret: string;
  contributions: ([number, string])[];
  seed: string;
  since: number;
  hands: Record<string, string[]>;
  drawn: Record<string, string[]>;
  lost: Record<string, string[]>;
  steps: DeckStep[];
  result: string;
  reason: string;
  checks: Check[];
}

export interface DealView {
  commitment: string | null;
  contributions: ContributionView[];
  missing: string[];
  can_contribute: boolean;
  secret: string | null;
}

export interface Decision {
  country: string;
  kind: string;
  prompt: string;
  source?: string | null;
  event?: Record<string, any>;
  count?: number;
}

export interface DeckStep {
  what: "shuffle" | "pick" | "deal" | "draw" | "mill" | "deck";
  country: string;
  cards: string[];
}

export interface Device {
  id: string;
  device: string;
  created_at: number;
  seen_at: number;
  is_this: boolean;
}

export interface Everything {
  exported_at: number;
  profile: Record<string, any>;
  devices: SessionRow[];
  games: (Record<string, any>)[];
  messages: (Record<string, any>)[];
  notices: (Record<string, any>)[];
  reports: (Record<string, any>)[];
}

export interface Farewell {
  password?: string | null;
  name?: string | null;
}

export interface FirstCards {
  country: string;
  discards: (string | any)[];
}

export interface FirstCardsView {
  country: string;
  count: number;
  discards: string[];
}

export interface Forgotten {
  name: string;
}

export interface GameItem {
  id: string;
  status: string;
  table: Summary;
  created_at: number;
  updated_at: number;
  your_turn: boolean;
  winner: string | null;
  result: Record<string, any> | null;
  rematch: string | null;
}

export interface GameSettings {
  rules: string;
  options: Record<string, boolean>;
  title?: string;
  is_public?: boolean;
  has_spectators?: boolean;
  clock?: Clock;
  window?: number;
  late?: "pass" | "wait";
  pause?: number;
  has_hints?: boolean;
  stand_in?: string;
  deal?: "fresh" | "as-recorded";
}

export interface GameWish {
  rules?: string;
  options?: Record<string, boolean>;
  seats?: number | SeatWish[];
  title?: string;
  is_public?: boolean;
  has_spectators?: boolean;
  clock?: Clock;
  window?: number | null;
  late?: "pass" | "wait";
  pause?: number;
  has_hints?: boolean | null;
  stand_in?: string;
  record?: string | null;
  at?: number | null;
  deal?: "fresh" | "as-recorded" | null;
  start?: boolean;
}

export interface Guest {
  name: string;
}

export interface HandOver {
  to: "bot" | "person";
  bot?: string;
}

export interface HintView {
  action: Choice;
  chance: number;
  reason: string;
  cards?: string[];
}

export interface Invitation {
  code?: string | null;
  agrees?: boolean;
  moves?: boolean;
}

export interface Language {
  language: string;
  name: string;
}

export interface LogEntry {
  what: string;
  country: string | null;
  card: string | null;
  space: string | null;
  target: string | null;
  n: number;
  source: string | null;
  text: string;
  marks?: ([number, number, string])[];
}

export interface LogView {
  start: number;
  entries: LogEntry[];
}

export interface Me {
  id: string;
  name: string;
  has_password: boolean;
  webhook: string | null;
  email: string | null;
  pending_email: string | null;
  language: string | null;
}

export interface MeChange {
  name?: string | null;
  webhook?: string | null;
  email?: string | null;
  language?: string | null;
  password?: string | null;
}

export interface Motion {
  what: string;
}

export interface Move {
  number: number;
  country: string;
  text: string;
}

export interface NewReport {
  what: "person" | "name" | "message";
  seat?: number | null;
  message?: number | null;
  text?: string;
}

export interface OptionData {
  name: string;
  default: boolean;
  text: string;
}

export interface Orders {
  seat: number;
  cards?: Record<string, "ask" | "every" | "always" | "never">;
  passes?: boolean;
}

export interface OrdersView {
  seat: number;
  cards: Record<string, "ask" | "every" | "always" | "never">;
  passes: boolean;
}

export interface Password {
  password: string;
  old?: string | null;
}

export interface PlayOn {
  rules?: string;
  options?: Record<string, boolean>;
  seats?: number | SeatWish[];
  title?: string;
  is_public?: boolean;
  has_spectators?: boolean;
  clock?: Clock;
  window?: number | null;
  late?: "pass" | "wait";
  pause?: number;
  has_hints?: boolean | null;
  stand_in?: string;
  record?: string | null;
  at?: number | null;
  deal?: "fresh" | "as-recorded" | null;
  start?: boolean;
  game?: string | null;
  step?: number | null;
}

export interface ProposalView {
  what: string;
  about: string | null;
  by: string;
  is_yours: boolean;
  has_your_vote: boolean;
  votes: number;
  needed: number;
  waits_for: string[];
  seconds_left: number | null;
}

export interface Ready {
  is_ready?: boolean;
  agrees?: boolean;
}

export interface RecordText {
  record: string;
}

export interface RecordView {
  rules: string;
  options: Record<string, boolean>;
  round: number;
  score: Record<string, number>;
  winner: string | null;
  is_over: boolean;
}

export interface Rematch {
  swap?: boolean;
  start?: boolean;
}

export interface ReplayView {
  step: number;
  steps: number;
  actions: Choice[];
  view: View;
  log: LogView;
  supply: Record<string, Record<string, Supply>>;
  income: Record<string, number>;
  turns: number[];
}

export interface RoundEstimate {
  round: number;
  step: number;
  axis: number;
  allies: number;
  lead: number;
}

export interface RuleSetData {
  name: string;
  text: string;
  options: OptionData[];
  seats: Record<string, string[][]>;
}

export interface RulingData {
  id: string;
  cards: string[];
  editions: string[];
  about: string;
  text: string;
  why: string;
}

export interface Said {
  id: number;
  room: string;
  name: string;
  text: string;
  at: number;
  is_yours: boolean;
}

export interface SeatItem {
  countries: string[];
  who: string;
  name: string;
}

export interface SeatView {
  countries: string[];
  who: string;
  name: string;
  bot: string | null;
  is_yours: boolean;
  is_away: boolean;
  is_ready: boolean;
  is_running: boolean;
  seconds_left: number | null;
  invitation: string | null;
}

export interface SeatWho {
  who: "me" | "open" | "invite" | "bot" | "hot-seat";
  bot?: string;
}

export interface SeatWish {
  countries: string[];
  who?: "me" | "open" | "invite" | "bot" | "hot-seat";
  bot?: string;
  name?: string;
}

export interface ServedCard {
  country: string;
  type: string;
  copies: number;
  name: string;
  id: string;
  text: string;
  reacts: boolean;
}

export interface Session {
  token: string;
  me: Me;
}

export interface SessionRow {
  id: string;
  user_id: string;
  device: string;
  created_at: number;
  seen_at: number;
  expires_at: number;
}

export interface SignOut {
  everywhere?: boolean;
}

export interface SpaceData {
  id: string;
  name: string;
  kind: string;
  supply: boolean;
  home_of: string | null;
}

export interface StraitData {
  controlled_from: string;
  joins: string[];
}

export interface Summary {
  host: string;
  settings: GameSettings;
  seats: SeatItem[];
}

export interface Supply {
  country: string;
  space: string;
  is_supplied: boolean;
  source: string | null;
  path: string[];
  port: string | null;
  by_card: boolean;
  missing: string | null;
}

export interface TableView {
  id: string;
  number: number;
  status: string;
  settings: GameSettings;
  host: string;
  can_watch: boolean;
  is_paused: boolean;
  waiting_for: string | null;
  income: Record<string, number>;
  steps: number;
  lead_to_win: number;
  winner: string | null;
  ending: string | null;
  is_abandoned: boolean;
  rematch: string | null;
  rematch_by: string;
  is_rematch_swapped: boolean;
  version: string;
  is_host: boolean;
  is_yours: boolean;
  seats: SeatView[];
  deal: DealView;
  brought: BroughtView | null;
  your_turn: boolean;
  view: View | null;
  decision: Decision | null;
  actions: Choice[];
  ahead: AheadView | null;
  removals: Choice[];
  window: WindowView | null;
  proposal: ProposalView | null;
  orders: OrdersView[];
  first_cards: FirstCardsView[];
  undo: number[];
  log: LogView;
}

export interface Undo {
  to?: number | null;
}

export interface View {
  rules: string;
  options: Record<string, boolean>;
  seat: string[];
  round: number;
  turn: string;
  step: string;
  score: Record<string, number>;
  score_text: string;
  countries: Record<string, CountryView>;
  protected: Record<string, string[]>;
  used: string[];
  winner: string | null;
  decision: Decision | null;
  waiting_for: string | null;
  legal_actions: string[];
}

export interface Vote {
  is_for: boolean;
}

export interface WindowView {
  action: Choice;
  countries: string[];
  seconds_left: number;
  is_yours: boolean;
  has_gone_on: boolean;
  can_hold: boolean;
  asks: AskView[];
}

export interface Words {
  text: string;
  room?: string;
}
