package org.aspas.emulab.experiments.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a step runs on. */
public enum Substrate {
    /** Real sockets on this machine, in real time. */
    SOCKETS,
    /** The simulator, in virtual time. */
    SIMULATOR;

    /** The name in files and figures. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Substrate> labelled(String label) {
        return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst();
    }
}
