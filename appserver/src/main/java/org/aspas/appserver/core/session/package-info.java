/**
 * Clients: connections, sessions, request numbers, answers and reads (paper §3.4; the protocol page, docs/protocol.md §3, §6).
 *
 * <p>{@link org.aspas.appserver.core.session.Sessions} is the entrance: it admits a frame and hands it on. {@code ClientUpdates}
 * enters what clients signed, once for each number. {@code ClientReads} answers reads. {@code UpdateConfirmations} tells
 * clients what certificates cover. {@code ResponseSealer} signs the answers. {@code ClientConnections} knows who is connected,
 * and {@link org.aspas.appserver.core.session.ClientLedgers} what each client sent. {@link
 * org.aspas.appserver.core.session.Applier} brings delivered entries into ledgers and live views.
 */
@NullMarked
package org.aspas.appserver.core.session;

import org.jspecify.annotations.NullMarked;
