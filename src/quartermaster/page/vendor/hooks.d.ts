export function useEffect(fn: () => void | (() => void), on?: any[]): void;
export function useLayoutEffect(fn: () => void | (() => void), on?: any[]): void;
export function useRef<T>(value: T): { current: T };
export function useState<T>(value: T): [T, (value: T) => void];
export function useMemo<T>(fn: () => T, on?: any[]): T;
