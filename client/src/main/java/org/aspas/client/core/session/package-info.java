/**
 * The session with the present server (the protocol page, docs/protocol.md §3), and what the client hears of it from the
 * others.
 *
 * <p>{@link org.aspas.client.core.session.ServerSession} knows how far the session is: greeted, opened, caught up. {@link
 * org.aspas.client.core.session.SessionFrames} takes what the server says and gives it to those whom it concerns. {@link
 * org.aspas.client.core.session.PendingCalls} holds what the application waits for. {@link
 * org.aspas.client.core.session.ServerMonitor} asks the other servers and takes their signed replies.
 *
 * <p>After a switch the new server gets nothing before it holds the newest certificate that the client knows. Then the
 * client submits the unconfirmed updates again, the same bytes in the same order.
 */
@NullMarked
package org.aspas.client.core.session;

import org.jspecify.annotations.NullMarked;
