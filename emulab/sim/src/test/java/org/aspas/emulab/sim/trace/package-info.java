/** The protocol told in traces: text files that anybody can read, and that the cores have to reproduce line by line. */
package org.aspas.emulab.sim.trace;
