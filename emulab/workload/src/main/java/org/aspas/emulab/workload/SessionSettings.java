package org.aspas.emulab.workload;

import java.time.Duration;

/**
 * What a system has to know of one client.
 *
 * @param client its number, from 0, which decides where it is and which server it turns to
 * @param roundTrip the round trip to its server that is added by the testbed; zero for none
 * @param placed whether it is at its place in the world that the system is in, if it is in one, and begins with the nearest
 *     server; else it is as near as the machine lets it
 */
public record SessionSettings(int client, ToleranceClass tolerance, Duration roundTrip, boolean placed) {
    public SessionSettings(int client, ToleranceClass tolerance, Duration roundTrip) {
        this(client, tolerance, roundTrip, false);
    }
}
