package org.aspas.emulab.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses option values out of range as wrong usage. */
final class Ranges {
    private Ranges() {}

    /**
     * Checks one option.
     *
     * @throws ParameterException naming option, value and range
     */
    static void check(CommandSpec spec, String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " is " + value + ", but must be " + least + " to " + most);
        }
    }
}
