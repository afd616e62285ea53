export interface FailureFields {
  readonly status: number;
  readonly code: string;
  readonly param?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly cause?: unknown;
}

/** An error response in the format of the OpenAI API. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly headers: { readonly [name: string]: string };

  constructor(message: string, { status, code, param, headers = {}, cause }: FailureFields) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.param = param;
    this.headers = headers;
  }

  get body(): object {
    return errorObject(this.message, {
      status: this.status,
      code: this.code,
      param: this.param,
    });
  }
}

export function errorObject(
  message: string,
  { status, code, param }: Pick<FailureFields, "status" | "code" | "param">,
): object {
  return {
    error: {
      message,
      type: status >= 500 ? "server_error" : status === 429 ? "rate_limit_error" : "invalid_request_error",
      param: param ?? null,
      code,
    },
  };
}

/** An error in the request itself (status 400). */
export function wrongRequest(message: string, param?: string, code = "invalid_request"): ApiFailure {
  return new ApiFailure(message, { status: 400, code, param });
}
