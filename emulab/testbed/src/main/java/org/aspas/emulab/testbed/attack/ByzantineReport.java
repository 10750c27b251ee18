package org.aspas.emulab.testbed.attack;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What became of an attack by one appserver. Times are milliseconds since the first misdeed.
 *
 * @param server the name of the Byzantine appserver
 * @param misdeeds how often it did what a correct server would not do
 * @param firstMisdeed the first of them, whose own time counts from the start of the workload; null when there was none
 * @param detected when a client or a correct server noticed first; null when nobody did
 * @param proof the kind of the first evidence that somebody correct held; null without
 * @param verdict when a correct appserver took a proved case to the bftservers; null when none did
 * @param excluded when a correct appserver first had a certificate that excludes the Byzantine one; null when none does
 * @param clients how many clients were on the server at some time during the attack
 * @param switched how many clients left it
 * @param lastSwitch when the last one left it; 0 when none did
 * @param reasons how many left for which reason
 * @param revoked how many updates were revoked by the exclusion
 * @param rolledBack to how many certified values clients went back
 * @param resubmitted how many updates clients gave to another server
 * @param lost how many acknowledged updates the correct servers do not have
 * @param harmed the correct appservers that a certificate excludes
 * @param refusedClients how many clients were accused by evidence
 */
public record ByzantineReport(
        String role,
        String description,
        String server,
        long misdeeds,
        @Nullable Moment firstMisdeed,
        @Nullable Moment detected,
        @Nullable String proof,
        @Nullable Moment verdict,
        @Nullable Moment excluded,
        int clients,
        int switched,
        long lastSwitch,
        Map<String, Integer> reasons,
        long revoked,
        long rolledBack,
        long resubmitted,
        long lost,
        List<Integer> harmed,
        int refusedClients) {
    /**
     * Something that happened.
     *
     * @param millis when, in milliseconds
     * @param by who did it or found it
     * @param what a few words
     */
    public record Moment(long millis, String by, String what) {}

    public ByzantineReport {
        reasons = Map.copyOf(reasons);
        harmed = List.copyOf(harmed);
    }

    /** Whether the attack was carried out and no correct party was harmed. */
    public boolean withstood() {
        return misdeeds > 0 && lost == 0 && harmed.isEmpty() && refusedClients == 0;
    }

    public Map<String, Integer> sortedReasons() {
        return new TreeMap<>(reasons);
    }
}
