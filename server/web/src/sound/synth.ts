/** The sounds, made by the browser itself: no file is loaded. */

import type { Cue } from "./cue";

let context: AudioContext | null = null;

/** Play a sound, if the user has done anything on the page: browsers allow none before. */
export function playCue(cue: Cue, volume: number): void {
  if (!navigator.userActivation?.hasBeenActive || volume <= 0) return;
  context ??= new AudioContext();
  void context.resume();
  const output = context.createGain();
  output.gain.value = volume * volume; // as loud as it looks on the slider
  output.connect(context.destination);
  SOUNDS[cue](context, output, context.currentTime + 0.005);
}

type Sound = (context: AudioContext, output: AudioNode, at: number) => void;

const SOUNDS: Readonly<Record<Cue, Sound>> = {
  move: (...to) => knock(...to, 190),
  capture: (context, output, at) => {
    knock(context, output, at, 300);
    knock(context, output, at + 0.06, 150);
  },
  check: (context, output, at) => {
    knock(context, output, at, 190);
    tone(context, output, at + 0.04, 660, 0.16);
    tone(context, output, at + 0.14, 880, 0.22);
  },
  end: (context, output, at) => {
    for (const [step, pitch] of [523, 392, 330, 262].entries())
      tone(context, output, at + 0.13 * step, pitch, 0.5);
  },
  low: (context, output, at) => {
    tone(context, output, at, 990, 0.09);
    tone(context, output, at + 0.15, 990, 0.09);
  },
};

/** Wood on wood: a short hiss with a low tone that sinks. */
function knock(context: AudioContext, output: AudioNode, at: number, pitch: number): void {
  const hiss = context.createBufferSource();
  hiss.buffer = noise(context);
  const band = context.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = 7 * pitch;
  hiss.connect(band).connect(fading(context, output, at, 0.7, 0.04));
  hiss.start(at);
  const body = context.createOscillator();
  body.frequency.setValueAtTime(pitch, at);
  body.frequency.exponentialRampToValueAtTime(pitch / 2, at + 0.09);
  body.connect(fading(context, output, at, 0.8, 0.1));
  body.start(at);
  body.stop(at + 0.12);
}

function tone(context: AudioContext, output: AudioNode, at: number, pitch: number, length: number) {
  const source = context.createOscillator();
  source.type = "triangle";
  source.frequency.value = pitch;
  source.connect(fading(context, output, at, 0.35, length));
  source.start(at);
  source.stop(at + length + 0.02);
}

/** Return an input to the output, which begins loud and is silent after so many seconds. */
function fading(
  context: AudioContext,
  output: AudioNode,
  at: number,
  loud: number,
  length: number,
) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(output);
  return gain;
}

function noise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, Math.ceil(0.05 * context.sampleRate), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
  return buffer;
}
