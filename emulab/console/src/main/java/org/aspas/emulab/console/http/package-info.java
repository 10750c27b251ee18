/**
 * The console's HTTP server, on the loopback interface, behind a random token: the page's files, server-sent events, proofs to
 * download, and actions. It is the JDK's own server: one thread for each open page, and few pages.
 */
@NullMarked
package org.aspas.emulab.console.http;

import org.jspecify.annotations.NullMarked;
