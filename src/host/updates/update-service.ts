import { UserError } from "../../contract/common/failure.ts";
import type { UpdateService } from "../../contract/services/update-service.ts";
import { checkClone, rollBackClone, updateClone } from "./clone-update.ts";
import { isClone, type UpdatePorts } from "./installation.ts";
import { checkPackage, rollBackPackage, updatePackage } from "./package-update.ts";

/** Updates of this installation; a clone and a package are updated by git and by npm. */
export function createUpdateService(ports: UpdatePorts): UpdateService {
  const clone = isClone(ports.root);
  const refuse = (option: string, only: string): never => {
    throw new UserError(`${option} is only for ${only}.`, { exitCode: 2 });
  };
  return {
    check: async (options = {}) => {
      if (clone && options.from !== undefined) refuse("--from", "an installed package");
      if (!clone && options.branch !== undefined) refuse("--branch", "a clone");
      return clone ? checkClone(ports, options) : checkPackage(ports, options);
    },
    apply: async (options = {}) => (clone ? updateClone(ports, options) : updatePackage(ports, options)),
    rollback: async () => (clone ? rollBackClone(ports) : rollBackPackage(ports)),
  };
}
