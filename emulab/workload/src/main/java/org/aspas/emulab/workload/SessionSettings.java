package org.aspas.emulab.workload;

import java.time.Duration;

/**
 * What a system has to know of one client.
 *
 * @param client its number, from 0, which decides where it is and which server it turns to
 * @param tolerance its class
 * @param roundTrip the round trip to its server that is added by the testbed; zero for none
 */
public record SessionSettings(int client, ToleranceClass tolerance, Duration roundTrip) {}
