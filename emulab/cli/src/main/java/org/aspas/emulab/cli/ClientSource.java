package org.aspas.emulab.cli;

/** The root of a command line whose commands share clients, as those of a shell do. */
interface ClientSource {
    ClientPool clients();
}
