#include "measure/report/report_page.hpp"

namespace spellpool::measure {

const std::string_view kReportStyle = R"css(
:root{color-scheme:light dark;--bg:#fbfbfd;--panel:#fff;--ink:#16181f;--muted:#565c6b;--rule:#d5d8e0;--a:#b26e00;--a-fill:#e69f00;--b:#0072b2;--b-fill:#0072b2;--on-b:#fff;
--band:#00000014;--warn:#a33600;--good:#00664a;--focus:#0072b2;--p0:#009e73;--p1:#56b4e9;--p2:#d55e00;--p3:#cc79a7;--p4:#0072b2;--p5:#f0e442;--p6:#999}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#101218;--panel:#181b24;--ink:#eceef5;--muted:#a5acbf;--rule:#333948;--a:#ffb733;--a-fill:#e69f00;--b:#6bbcf0;
--b-fill:#3a9bdc;--on-b:#101218;--band:#ffffff1c;--warn:#ff9a66;--good:#5fd3ac;--focus:#6bbcf0}}
:root[data-theme=dark]{color-scheme:dark;--bg:#101218;--panel:#181b24;--ink:#eceef5;--muted:#a5acbf;--rule:#333948;--a:#ffb733;--a-fill:#e69f00;--b:#6bbcf0;--b-fill:#3a9bdc;--on-b:#101218;
--band:#ffffff1c;--warn:#ff9a66;--good:#5fd3ac;--focus:#6bbcf0}
:root[data-theme=light]{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;overflow-wrap:break-word;background:var(--bg);color:var(--ink);font:16px/1.5 Inter,system-ui,sans-serif;font-variant-numeric:tabular-nums}
main,header,footer{max-width:1080px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:1.05rem;font-weight:600;color:var(--muted);margin:0}
.verdict{font-size:1.65rem;line-height:1.3;font-weight:650;margin:.35em 0 .5em;text-wrap:balance}
.badge{display:inline-block;border:2px solid currentColor;border-radius:999px;padding:.1em .8em;font-weight:650;margin-right:.6em;color:var(--warn)}
.badge.verdict-badge{color:var(--good)}
section{background:var(--panel);border:1px solid var(--rule);border-radius:10px;padding:16px 20px;margin:18px 0}
h2{font-size:1.12rem;margin:0 0 .5em}
h3{font-size:1rem;margin:1em 0 .3em}
p,ul{margin:.4em 0}
.told,.note,figcaption{color:var(--muted);font-size:.92rem}
table{border-collapse:collapse;width:100%;font-size:.95rem}
th,td{text-align:right;padding:.28em .6em;border-top:1px solid var(--rule);vertical-align:top}
th:first-child,td:first-child{text-align:left;padding-left:0}
thead th{border-top:0;color:var(--muted);font-weight:600}
tbody th{font-weight:400}
.scroll{overflow-x:auto}
.chip{display:inline-block;min-width:1.5em;text-align:center;border-radius:4px;font-weight:700;padding:0 .3em;margin-right:.4em;color:#16181f}
.chip.a{background:var(--a-fill)}.chip.b{background:var(--b-fill);color:var(--on-b)}.chip.c{background:#999}
canvas{display:block;width:100%;height:300px;touch-action:pan-y}
canvas:focus-visible,button:focus-visible,select:focus-visible,a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.bar{display:flex;flex-wrap:wrap;gap:.5em;margin:.5em 0;align-items:center}
button,select{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--rule);border-radius:6px;padding:.25em .7em;cursor:pointer}
.readout{min-height:1.5em;font-size:.92rem}
.phases{display:flex;height:1.7em;border-radius:4px;overflow:hidden;background:var(--band);margin:.2em 0 .6em}
.phases span{overflow:hidden;white-space:nowrap;font-size:.8rem;line-height:1.7em;text-align:center;color:#111;border-right:1px solid var(--panel)}
svg text{fill:var(--ink);font-family:inherit}
svg .muted{fill:var(--muted)}
svg .band{fill:var(--band)}svg .rule{stroke:var(--rule)}svg .one{stroke:var(--ink)}svg .ci{stroke:var(--b);stroke-width:3}svg .point{fill:var(--b)}
.heat td{text-align:center;padding:.5em .3em;border:1px solid var(--rule)}
.heat td small{display:block;font-size:.75rem}
code{font-size:.9em;overflow-wrap:anywhere}
.skip{position:absolute;left:-999px}.skip:focus{left:10px;top:10px;background:var(--panel);padding:.4em}
.spikes{max-height:16em;overflow:auto}
.trace{white-space:nowrap}.trace small{display:block;color:var(--muted)}
.busy{display:grid;grid-template-columns:6.5em 1fr;align-items:center}.busy .phases{margin:.15em 0}
@media print{:root,:root[data-theme=dark]{--bg:#fff;--panel:#fff;--ink:#000;--muted:#444;--rule:#bbb;--a:#8a5500;--b:#005a8c;--band:#0002;color-scheme:light}
.bar,.skip,.noprint{display:none!important}section{break-inside:avoid;border-color:#bbb}.spikes{max-height:none}body{font-size:12px}}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
)css";

const std::string_view kReportScript = R"js(
'use strict';
(()=>{
const meta=JSON.parse(document.getElementById('meta').textContent);
const decode=id=>{const raw=atob(document.getElementById(id).textContent.trim()),n=raw.length>>2,out=new Float64Array(n);
 for(let i=0,p=0;i<n;i++,p+=4)out[i]=((raw.charCodeAt(p)|raw.charCodeAt(p+1)<<8|raw.charCodeAt(p+2)<<16|raw.charCodeAt(p+3)<<24)>>>0)/100;return out};
const arms=meta.arms.map((a,i)=>({...a,us:decode('data'+i),on:true}));
const most=Math.max(1,...arms.map(a=>a.us.length));
const css=name=>getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colour=i=>i===0?css('--a'):i===1?css('--b'):css('--muted');
const time=us=>!isFinite(us)?'NA':us<1000?us.toFixed(1)+' µs':(us/1000).toFixed(2)+' ms';
const $=id=>document.getElementById(id);
const canvas=$('overlay'),tail=$('tail');
let from=0,to=most,scale='linear',pinned=-1;
const sorted=arms.map(a=>Float64Array.from(a.us).sort());
const pick=(s,p)=>s.length?s[Math.min(s.length,Math.max(1,Math.ceil(p*s.length-1e-9)))-1]:NaN;
const all=Math.max(...sorted.map(s=>s.length?s[s.length-1]:0)),usual=Math.max(...sorted.map(s=>pick(s,.99)||0));
if(all>8*usual){scale='usual';$('scale').value=scale} // one long frame must not flatten all others; the marks show where it was
const fit=c=>{const r=c.getBoundingClientRect(),d=window.devicePixelRatio||1,w=Math.max(300,Math.round(r.width*d)),h=Math.round(300*d);
 if(c.width!==w||c.height!==h){c.width=w;c.height=h}const g=c.getContext('2d');g.setTransform(d,0,0,d,0,0);g.clearRect(0,0,w/d,h/d);g.font='12px Inter,system-ui,sans-serif';return[g,w/d,h/d]};
let L=64; // of the frame times, as wide as their labels
const R=12,T=10,B=26;
const margin=(g,times)=>Math.max(64,Math.ceil(Math.max(...times.map(v=>g.measureText(time(v)).width)))+14);
const nice=(top,n)=>{const raw=top/n,p=10**Math.floor(Math.log10(raw)),m=raw/p;return(m<=1?1:m<=2?2:m<=5?5:10)*p};
function overlay(){
 const[g,w,h]=fit(canvas),ph=h-T-B;
 let top=0;for(const a of arms){if(!a.on)continue;const e=Math.min(to,a.us.length);for(let i=from;i<e;i++)if(a.us[i]>top)top=a.us[i]}
 const clip=scale==='usual'?Math.min(top,usual*1.6):top;top=(clip||1)*1.05;
 const step=nice(top,5),marks=[];for(let v=0;v<=top;v+=step)marks.push(v);
 L=margin(g,marks);const pw=w-L-R;
 const y=v=>T+ph-ph*(scale==='sqrt'?Math.sqrt(Math.min(v,top)/top):Math.min(v,top)/top);
 const x=i=>L+pw*(i-from)/Math.max(1,to-from);
 g.strokeStyle=css('--rule');g.fillStyle=css('--muted');g.lineWidth=1;g.textAlign='right';g.textBaseline='middle';
 for(const v of marks){g.beginPath();g.moveTo(L,y(v));g.lineTo(w-R,y(v));g.stroke();g.fillText(time(v),L-6,y(v))}
 g.textBaseline='top';g.textAlign='left';g.fillText('frame '+from.toLocaleString('en'),L,h-B+8);g.textAlign='right';g.fillText(to.toLocaleString('en'),w-R,h-B+8);
 for(const[v,name]of[[16667,'16.67 ms'],[33333,'33.3 ms']])if(v<top){g.strokeStyle=css('--muted');g.setLineDash([5,4]);g.beginPath();g.moveTo(L,y(v));g.lineTo(w-R,y(v));g.stroke();g.setLineDash([]);g.textAlign='left';g.textBaseline='bottom';g.fillText(name,L+4,y(v)-1)}
 arms.forEach((a,k)=>{if(!a.on)return;
  const e=Math.min(to,a.us.length),cols=Math.max(1,Math.floor(pw)),per=(to-from)/cols;
  g.strokeStyle=colour(k);g.fillStyle=colour(k);
  if(per<=1.5){g.beginPath();g.lineWidth=1.5;g.setLineDash(k===1?[]:[7,2]);for(let i=from;i<e;i++)i===from?g.moveTo(x(i+.5),y(a.us[i])):g.lineTo(x(i+.5),y(a.us[i]));g.stroke();g.setLineDash([])}
  else{ // one column of pixels: from the least to the longest, and the longest of all stays visible
   g.globalAlpha=.45;const mids=[];
   for(let c=0;c<cols;c++){const s=from+Math.floor(c*per),t=Math.min(e,from+Math.max(Math.floor((c+1)*per),Math.floor(c*per)+1));if(s>=t)break;let lo=Infinity,hi=0,sum=0;
    for(let i=s;i<t;i++){const v=a.us[i];if(v<lo)lo=v;if(v>hi)hi=v;sum+=v}g.fillRect(L+c,y(hi),1,Math.max(1,y(lo)-y(hi)));mids.push(sum/(t-s))}
   g.globalAlpha=1;g.lineWidth=1.5;g.setLineDash(k===1?[]:[7,2]);g.beginPath();mids.forEach((v,c)=>c?g.lineTo(L+c+.5,y(v)):g.moveTo(L+c+.5,y(v)));g.stroke();g.setLineDash([])}
  for(const s of a.spikes)if(s.i>=from&&s.i<to){const px=x(s.i+.5),py=Math.max(y(s.us),T+4);g.beginPath();if(k===0){g.moveTo(px-4,py-7);g.lineTo(px+4,py-7);g.lineTo(px,py)}else g.arc(px,py-4,3.5,0,7);g.fill()}
 });
 if(pinned>=from&&pinned<to){g.strokeStyle=css('--ink');g.beginPath();g.moveTo(x(pinned+.5),T);g.lineTo(x(pinned+.5),T+ph);g.stroke()}
}
let readoutTimer=0;
function readout(){clearTimeout(readoutTimer);readoutTimer=setTimeout(()=>{
 $('range').textContent=arms.filter(a=>a.on).map(a=>{const s=a.us.slice(from,Math.min(to,a.us.length)).sort(),n=s.length;if(!n)return a.letter+': no frames here';
  const p99=pick(s,.99);let sum=0,c=0;for(let i=n-1;i>=0&&s[i]>=p99;i--){sum+=s[i];c++}
  return `${a.letter} ${a.name}: median ${time(pick(s,.5))}, p95 ${time(pick(s,.95))}, p99 ${time(p99)}, p99.9 ${n>=10000?time(pick(s,.999)):'NA'}, 1 % low (average) ${(1e6*c/sum).toFixed(1)} FPS, ${a.spikes.filter(k=>k.i>=from&&k.i<to).length} marked spikes, ${n.toLocaleString('en')} frames`}).join(' — ')},120)}
function tailCurve(){
 const[g,w,h]=fit(tail),ph=h-T-B,decades=Math.max(1,Math.ceil(Math.log10(most)));
 const top=(all||1)*1.05,low=Math.max(.01,Math.min(...sorted.map(s=>s.length?s[0]:1)))*.9;
 const marks=[0,1,2,3,4,5].map(k=>low*Math.pow(top/low,k/5)),L=margin(g,marks),pw=w-L-R;
 const y=v=>T+ph-ph*Math.log(Math.max(v,low)/low)/Math.log(top/low),x=q=>L+pw*Math.min(1,-Math.log10(q)/decades);
 g.fillStyle=css('--muted');g.strokeStyle=css('--rule');g.lineWidth=1;
 for(let d=0;d<=decades;d++){const px=x(10**-d);g.beginPath();g.moveTo(px,T);g.lineTo(px,T+ph);g.stroke();g.textBaseline='top';g.textAlign=d?d===decades?'right':'center':'left';g.fillText(d?(100-100*10**-d).toFixed(Math.max(0,d-2))+' %':'all',px,h-B+8)}
 g.textAlign='right';g.textBaseline='middle';for(const v of marks){g.beginPath();g.moveTo(L,y(v));g.lineTo(w-R,y(v));g.stroke();g.fillText(time(v),L-6,y(v))}
 sorted.forEach((s,k)=>{if(!arms[k].on||!s.length)return;g.strokeStyle=colour(k);g.lineWidth=2;g.setLineDash(k===1?[]:[7,3]);g.beginPath();
  const n=s.length,pts=400;for(let i=0;i<=pts;i++){const q=Math.pow(10,-Math.log10(n)*i/pts),v=s[Math.min(n-1,Math.max(0,Math.ceil((1-q)*n-1e-9)))];i?g.lineTo(x(q),y(v)):g.moveTo(x(q),y(v))}g.stroke();g.setLineDash([])});
}
const draw=()=>{overlay();tailCurve()};
const clamp=()=>{const n=Math.max(20,Math.min(most,to-from));from=Math.max(0,Math.min(most-n,Math.round(from)));to=Math.min(most,Math.round(from+n))};
const view=(f,t)=>{from=f;to=t;clamp();overlay();readout()};
const zoom=(k,at)=>{const m=at===undefined?(from+to)/2:at;view(m-(m-from)*k,m+(to-m)*k)};
const pan=k=>view(from+(to-from)*k,to+(to-from)*k);
const spikes=arms.flatMap((a,k)=>a.spikes.map(s=>({...s,k}))).sort((p,q)=>p.i-q.i);
function show(s){pinned=s.i;const half=Math.max(60,Math.min((to-from)/2,300));view(s.i-half,s.i+half);$('spike').textContent=`${arms[s.k].letter} ${arms[s.k].name}, frame ${s.i.toLocaleString('en')}: ${time(s.us)}. ${s.told||'What it was busy with is not known (NA).'}${s.trace?` In trace.json: ${s.trace}, at ${(s.trace_us/1e6).toFixed(6)} s.`:''}`;busy(s)}
// Its phases on one scale with those of a usual frame of the same arm.
function busy(s){const box=$('spikephases'),usual=arms[s.k].usual;box.replaceChildren();if(!s.phases.some(us=>us>0))return;
 const total=list=>list.reduce((sum,us)=>sum+(us||0),0),longest=Math.max(s.us,total(usual));
 for(const[name,list,whole]of[['this frame',s.phases,s.us],['a usual one',usual,0]]){
  const row=document.createElement('div'),bar=document.createElement('div');row.className='busy';bar.className='phases';bar.setAttribute('role','img');
  const rest=whole?Math.max(0,whole-total(list)):0,parts=list.map((us,p)=>[meta.phases[p],us||0,`var(--p${p})`]).concat([['in no phase',rest,'var(--rule)']]).filter(part=>part[1]>0);
  bar.setAttribute('aria-label',name+': '+parts.map(part=>part[0]+' '+time(part[1])).join(', '));
  for(const[label,us,ground]of parts){const span=document.createElement('span');span.style.width=100*us/longest+'%';span.style.background=ground;span.title=label+' '+time(us);span.textContent=us/longest>.09?label+' '+time(us):'';if(ground==='var(--rule)')span.style.color='var(--ink)';bar.append(span)}
  row.append(Object.assign(document.createElement('span'),{className:'told',textContent:name}),bar);box.append(row)}}
const jump=d=>{if(!spikes.length){$('spike').textContent='No spikes.';return}const at=pinned<0?from-1:pinned,next=d>0?spikes.find(s=>s.i>at)||spikes[0]:[...spikes].reverse().find(s=>s.i<at)||spikes[spikes.length-1];show(next)};
canvas.addEventListener('keydown',e=>{const k=e.key;const f={ArrowLeft:()=>pan(-.2),ArrowRight:()=>pan(.2),'+':()=>zoom(.5),'=':()=>zoom(.5),'-':()=>zoom(2),'0':()=>view(0,most),Home:()=>view(0,to-from),End:()=>view(most-(to-from),most),n:()=>jump(1),p:()=>jump(-1)}[k];if(f){f();e.preventDefault()}});
const frameAt=e=>{const r=canvas.getBoundingClientRect();return from+(to-from)*(e.clientX-r.left-L)/(r.width-L-R)};
canvas.addEventListener('wheel',e=>{if(!e.ctrlKey&&document.activeElement!==canvas)return;e.preventDefault();zoom(e.deltaY>0?1.25:.8,frameAt(e))},{passive:false});
let drag=null;canvas.addEventListener('pointerdown',e=>{drag={x:e.clientX,from,to,moved:false};canvas.setPointerCapture(e.pointerId)});
canvas.addEventListener('pointermove',e=>{if(!drag)return;const r=canvas.getBoundingClientRect(),d=(drag.x-e.clientX)/(r.width-L-R)*(drag.to-drag.from);if(Math.abs(e.clientX-drag.x)>3)drag.moved=true;if(drag.moved)view(drag.from+d,drag.to+d)});
canvas.addEventListener('pointerup',e=>{if(drag&&!drag.moved&&spikes.length){const at=frameAt(e),near=(to-from)/80,s=spikes.filter(s=>Math.abs(s.i-at)<near).sort((p,q)=>q.us-p.us)[0];if(s){const f=from,t=to;show(s);view(f,t)}}drag=null});
const save=(name,blob)=>{const a=document.createElement('a');a.href=URL.createObjectURL(blob);a.download=name;a.click();setTimeout(()=>URL.revokeObjectURL(a.href),1000)};
const on=(id,f)=>{const e=$(id);if(e)e.addEventListener('click',f)};
on('in',()=>zoom(.5));on('out',()=>zoom(2));on('left',()=>pan(-.3));on('right',()=>pan(.3));on('whole',()=>view(0,most));on('next',()=>jump(1));on('previous',()=>jump(-1));
$('scale').addEventListener('change',e=>{scale=e.target.value;overlay()});
document.querySelectorAll('[data-arm]').forEach(b=>b.addEventListener('click',()=>{const a=arms[+b.dataset.arm];a.on=!a.on;b.setAttribute('aria-pressed',a.on);draw();readout()}));
document.querySelectorAll('[data-spike]').forEach(b=>b.addEventListener('click',()=>{const[k,i]=b.dataset.spike.split(':');show({...arms[k].spikes[i],k:+k});canvas.scrollIntoView({block:'center'});canvas.focus({preventScroll:true})}));
on('png',()=>canvas.toBlob(b=>save('frame-times.png',b)));
on('csv',()=>{const rows=['frame,'+arms.map(a=>a.letter+'_'+a.name.replace(/[",\n]/g,'_')+'_us').join(',')];for(let i=0;i<most;i++)rows.push(i+','+arms.map(a=>i<a.us.length?a.us[i].toFixed(2):'NA').join(','));save('frame-times.csv',new Blob([rows.join('\n')+'\n'],{type:'text/csv'}))});
on('json',()=>save('report.json',new Blob([JSON.stringify({...meta,frames_us:arms.map(a=>Array.from(a.us))},null,1)],{type:'application/json'})));
on('print',()=>print());
const themes=['auto','light','dark'];on('theme',()=>{const r=document.documentElement,now=r.dataset.theme||'auto',next=themes[(themes.indexOf(now)+1)%3];if(next==='auto')delete r.dataset.theme;else r.dataset.theme=next;$('theme').textContent='Theme: '+next;draw()});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change',draw);
let resize=0;addEventListener('resize',()=>{cancelAnimationFrame(resize);resize=requestAnimationFrame(draw)});
addEventListener('beforeprint',draw);
draw();readout();
document.documentElement.dataset.ready='1';
document.documentElement.dataset.openMs=Math.round(performance.now());
})();
)js";

}  // namespace spellpool::measure
