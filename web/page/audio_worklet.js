// Plays the blocks of interleaved stereo samples that the page sends, and reports how much it has played.
const kBegin_s = 0.043;  // It begins when so much is queued: the page renders the first blocks one after another.

class Spellpool extends AudioWorkletProcessor {
  constructor() {
    super();
    this.blocks = [];
    this.at = 0;          // samples of blocks[0] that were played
    this.ready = 0;       // frames in blocks
    this.played = 0;      // frames
    this.underruns = 0;   // times that sound was missing
    this.running = false;
    this.calls = 0;
    this.port.onmessage = ({data}) => {
      this.blocks.push(data);
      this.ready += data.length / 2;
    };
  }

  process(inputs, [[left, right]]) {
    const frames = left.length;
    if (this.ready < (this.running ? frames : kBegin_s * sampleRate)) {
      if (this.running) ++this.underruns;
      this.running = false;
    } else {
      this.running = true;
      for (let i = 0; i < frames; ++i) {
        const block = this.blocks[0];
        left[i] = block[this.at];
        right[i] = block[this.at + 1];
        this.at += 2;
        if (this.at === block.length) {
          this.blocks.shift();
          this.at = 0;
        }
      }
      this.ready -= frames;
      this.played += frames;
    }
    if (++this.calls % 4 === 0) this.port.postMessage({played: this.played, played_at_s: currentTime, underruns: this.underruns});
    return true;
  }
}
registerProcessor("spellpool", Spellpool);
