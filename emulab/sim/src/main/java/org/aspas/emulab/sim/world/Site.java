package org.aspas.emulab.sim.world;

/**
 * A place on the earth.
 *
 * @param name as the world's file calls it
 * @param near the nearest town, for people; empty if the file names none
 * @param latitude in degrees, -90 to 90
 * @param longitude in degrees, -180 to 180
 */
public record Site(String name, String near, double latitude, double longitude) {}
