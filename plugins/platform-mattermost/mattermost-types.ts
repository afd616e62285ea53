export interface User {
  readonly id: string;
  readonly username: string;
}

export interface FileInfo {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly mime_type?: string;
}

export interface Post {
  readonly id: string;
  readonly channel_id: string;
  readonly user_id: string;
  readonly message: string;
  /** The first post of its thread; "" outside threads. */
  readonly root_id?: string;
  /** "" for a user's post. */
  readonly type?: string;
  /** Epoch ms on the server's clock. */
  readonly create_at: number;
  readonly edit_at?: number;
  readonly delete_at?: number;
  readonly file_ids?: readonly string[];
  readonly props?: { readonly [name: string]: unknown };
  readonly metadata?: { readonly files?: readonly FileInfo[] };
}

export interface Channel {
  readonly id: string;
  /** `D`: direct, `G`: several users, `O`: public, `P`: private. */
  readonly type: string;
  readonly name: string;
  readonly display_name?: string;
  readonly last_post_at?: number;
}

export interface PostList {
  readonly order: readonly string[];
  readonly posts: { readonly [id: string]: Post };
}
