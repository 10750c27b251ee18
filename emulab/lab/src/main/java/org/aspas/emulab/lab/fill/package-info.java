/**
 * Deployments that begin with much: {@link org.aspas.emulab.lab.fill.StoreFilling} runs the cores of all servers in one process,
 * without sockets and in virtual time, over the stores of a new deployment, so that nodes that start on them go on from there.
 */
@NullMarked
package org.aspas.emulab.lab.fill;

import org.jspecify.annotations.NullMarked;
