import { attack, plan, swell } from './attack.mjs';

await attack('build');
if (plan.build) swell(plan.build);
