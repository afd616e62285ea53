/** Texts of the parts that show calls and answers. */
export const CALLS: { readonly [english: string]: string } = {
  "Link to this call": "此调用的链接",
  "{} more lines": "还有 {} 行",
  "{} image": "{} 张图片",
  "{} images": "{} 张图片",
  Arguments: "参数",
  Approval: "审批",
  allowed: "已允许",
  denied: "已拒绝",
  Result: "结果",
  "Changed: {}": "已更改：{}",
  Image: "图片",
  Code: "代码",
  Table: "表格",
};
