/**
 * ASPAS itself as a system under test: {@link org.aspas.emulab.rivals.aspas.AspasSystem} connects real clients to a cluster in
 * this process, and compares what its servers certified with what the clients were answered.
 * {@link org.aspas.emulab.rivals.aspas.AspasProcess} does so with the servers in a process of their own.
 */
@NullMarked
package org.aspas.emulab.rivals.aspas;

import org.jspecify.annotations.NullMarked;
