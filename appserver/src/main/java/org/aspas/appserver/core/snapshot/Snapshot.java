package org.aspas.appserver.core.snapshot;

import org.aspas.appserver.core.objects.CertifiedState;

/** A whole snapshot, every part of which was verified. */
public record Snapshot(VerifiedHead head, CertifiedState state) {}
