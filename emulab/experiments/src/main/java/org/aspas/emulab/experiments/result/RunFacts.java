package org.aspas.emulab.experiments.result;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was run, when, and on what: {@code run.json}.
 *
 * @param schemaVersion grows when a key goes or changes its meaning
 * @param experiment the name that the experiment's file gives itself
 * @param quick whether the file's quick block shortened it
 * @param planHash the SHA-256 of the experiment's file
 * @param worldHashes the SHA-256 of each world's file, by the name in the experiment
 * @param seed of the first repetition
 * @param started when, as ISO 8601 in UTC
 */
public record RunFacts(
        int schemaVersion,
        String experiment,
        boolean quick,
        String planHash,
        SortedMap<String, String> worldHashes,
        long seed,
        String started,
        String command,
        MachineFacts machine) {
    public RunFacts {
        worldHashes = new TreeMap<>(worldHashes);
    }
}
