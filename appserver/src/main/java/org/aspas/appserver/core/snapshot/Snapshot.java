package org.aspas.appserver.core.snapshot;

import org.aspas.appserver.core.objects.CertifiedState;

/**
 * A whole snapshot, every part of which was verified.
 *
 * @param head the certificate, and the ends of the logs
 * @param state the certified state
 */
public record Snapshot(VerifiedHead head, CertifiedState state) {}
