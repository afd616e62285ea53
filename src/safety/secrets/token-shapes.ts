/**
 * The shapes of keys and tokens. `lead`s are literal beginnings, followed by one run of at least `min` of
 * `[A-Za-z0-9_-]` (and further characters if named). Data only: the scanner is in `token-runs.ts`.
 */
export interface TokenShape {
  readonly lead: string;
  readonly min: number;
  readonly also?: string;
}

const shape = (min: number, leads: string, also?: string): readonly TokenShape[] =>
  leads.split(" ").map((lead) => ({ lead, min, also }));

export const TOKEN_SHAPES: readonly TokenShape[] = [
  ...shape(16, "sk- sk_live_ sk_test_ rk_live_ rk_test_ whsec_ pk_live_"),
  ...shape(20, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glsoat-"),
  ...shape(10, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xapp-"),
  ...shape(30, "AIza"),
  ...shape(12, "AKIA ASIA AGPA AROA ANPA"),
  ...shape(16, "SG.", "."),
  ...shape(
    16,
    "hf_ npm_ r8_ gsk_ tvly- fc- fal_ xai- pplx- syt_ exa_ lin_api_ ntn_ secret_ dckr_pat_ dop_v1_ doo_v1_ dor_v1_ rpa_ nvapi- csk- sbp_ sk-or- sk-ant- tgp_v1_ wandb_v1_ vck_ figd_ shpat_ shpss_ sq0atp- sq0csp- EAAA dapi NRAK- hvs. hvb. pat- phc_ phx_ rdme_ sntrys_ glc_ glsa_ lsv2_pt_ lsv2_sk_ key- pcsk_ jina_ bb_live_ AGE-SECRET-KEY- ATATT3 ATCTT3 cfut_ PMAK- ya29. 1// pypi-",
    ".",
  ),
];
