/** Do something while no other tab does; browsers know that only over https. */
export async function inTurn(
  lock: string,
  work: () => Promise<void>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  if (navigator.locks) await navigator.locks.request(lock, options, work);
  else await work();
}
