package org.aspas.appserver.core.certification;

import org.aspas.appserver.core.object.CertifiedState;

/** A whole snapshot, every part of which was verified. */
public record Snapshot(VerifiedHead head, CertifiedState state) {}
