package org.aspas.emulab.sim.run;

/**
 * A correct party noticed a Byzantine one.
 *
 * @param micros when, in microseconds of virtual time
 * @param by who noticed
 * @param culprit who was noticed
 * @param what what gave it away
 */
public record Detection(long micros, String by, String culprit, String what) {}
