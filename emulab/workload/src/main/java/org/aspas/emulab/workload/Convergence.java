package org.aspas.emulab.workload;

import java.util.List;

/**
 * Whether the correct servers of a system agreed at the end.
 *
 * @param appservers how many there are that are correct and have to agree
 * @param asked how many were asked and answered everything
 * @param certificate the newest certificate's number that all reported; 0 when they did not agree, or certify nothing
 * @param lost how much of what clients were answered is missing where most of it is missing: increments and elements
 * @param differences what was not as it should be, as sentences; empty when all agreed
 */
public record Convergence(
        int appservers, int asked, long certificate, int objects, long lost, List<String> differences) {
    public Convergence {
        differences = List.copyOf(differences);
    }

    /** True only if every one of them was asked and all agreed, with each other and with what clients were told. */
    public boolean converged() {
        return asked == appservers && differences.isEmpty();
    }
}
