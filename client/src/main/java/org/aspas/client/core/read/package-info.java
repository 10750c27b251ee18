/**
 * What the client asks and does not change (the protocol page, docs/protocol.md §6 and §9): {@link
 * org.aspas.client.core.read.Reads} of objects, {@link org.aspas.client.core.read.CertificateQueries}, and the {@link
 * org.aspas.client.core.read.Rollback} that reads after a switch what the unconfirmed updates touch.
 *
 * <p>Each question has a deadline, and is asked again on every new connection. A local read has the server's signature. A
 * certified read has a proof against a certificate that is no older than the newest one that the client knows.
 */
@NullMarked
package org.aspas.client.core.read;

import org.jspecify.annotations.NullMarked;
