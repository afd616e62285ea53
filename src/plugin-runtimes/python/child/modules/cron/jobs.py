"""Scheduled jobs with the original's functions; Hermes stores them."""

from _hermes_bridge.services.agent import Jobs
from _hermes_bridge.services.original import plugin

FIELDS = ("prompt", "name", "repeat", "deliver", "skills", "model", "provider", "script", "context_from", "enabled_toolsets", "workdir", "no_agent")  # fmt: skip


class AmbiguousJobReference(LookupError):
    """Several jobs have the name."""


def load_jobs():
    return Jobs(plugin()).list()


def list_jobs(include_disabled=False):
    return [job for job in load_jobs() if include_disabled or job["enabled"]]


def get_job(job_id):
    return next((job for job in load_jobs() if job["id"] == job_id), None)


def resolve_job_ref(ref):
    """By id, else by name."""
    jobs = load_jobs()
    found = [job for job in jobs if job["id"] == ref] or [
        job for job in jobs if job["name"].lower() == str(ref).strip().lower()
    ]
    if len(found) > 1:
        raise AmbiguousJobReference("%r names %d jobs: %s" % (ref, len(found), ", ".join(job["id"] for job in found)))
    return found[0] if found else None


def create_job(
    prompt,
    schedule,
    name=None,
    repeat=None,
    deliver=None,
    origin=None,
    skill=None,
    skills=None,
    model=None,
    provider=None,
    base_url=None,
    script=None,
    context_from=None,
    enabled_toolsets=None,
    workdir=None,
    no_agent=False,
    attach_to_session=None,
):
    _refuse(base_url=base_url, attach_to_session=attach_to_session, origin=origin)
    given = {
        "prompt": prompt, "name": name, "repeat": repeat, "deliver": deliver, "skills": _list(skills, skill),
        "model": model, "provider": provider, "script": script, "context_from": _list(context_from),
        "enabled_toolsets": enabled_toolsets, "workdir": workdir, "no_agent": no_agent or None,
    }  # fmt: skip
    return Jobs(plugin()).create(schedule=schedule, **{key: value for key, value in given.items() if value is not None})


def update_job(job_id, updates):
    job = get_job(job_id)
    if job is None:
        return None
    changes = dict(updates)
    enabled = changes.pop("enabled", None)
    schedule = changes.pop("schedule", None)
    skill = changes.pop("skill", None)
    _refuse(**{key: value for key, value in changes.items() if key not in FIELDS})
    if isinstance(changes.get("repeat"), dict):
        changes["repeat"] = changes["repeat"].get("times") or 0
    if skill is not None and "skills" not in changes:
        changes["skills"] = [skill]
    for key in ("skills", "context_from"):
        if key in changes:
            changes[key] = _list(changes[key]) or []
    if schedule is not None:
        changes["schedule"] = schedule.get("display") if isinstance(schedule, dict) else schedule
    if changes:
        job = Jobs(plugin()).change(job_id, **changes)
    if enabled is not None and bool(enabled) != job["enabled"]:
        job = (resume_job if enabled else pause_job)(job_id)
    return job


def pause_job(job_id, reason=None):
    return None if get_job(job_id) is None else Jobs(plugin()).pause(job_id, reason)


def resume_job(job_id):
    return None if get_job(job_id) is None else Jobs(plugin()).resume(job_id)


def trigger_job(job_id):
    return None if get_job(job_id) is None else Jobs(plugin()).trigger(job_id)


def remove_job(job_id):
    if get_job(job_id) is None:
        return False
    Jobs(plugin()).remove(job_id)
    return True


def _list(values, one=None):
    if values is None:
        return None if one is None else [one]
    return [values] if isinstance(values, str) else list(values)


def _refuse(**fields):
    """Ignoring them would make another job than the plugin meant."""
    given = [name for name, value in fields.items() if value is not None]
    if given:
        raise ValueError("A job here has no %s." % ", ".join(sorted(given)))
