/**
 * Deployments that begin with much: {@link org.aspas.emulab.lab.fill.StoreFilling} runs the cores of all servers in one process,
 * without sockets and in virtual time, over the stores of a new deployment, so that nodes that start on them go on from there.
 * In bulk the core of one appserver runs, and scribes write what the others would.
 */
@NullMarked
package org.aspas.emulab.lab.fill;

import org.jspecify.annotations.NullMarked;
