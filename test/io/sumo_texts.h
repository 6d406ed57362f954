// A small network of SUMO and a demand on it, in the words of its files: an edge of two lanes west
// to a signal, one north and one east from it, with lanes inside the junction.
#ifndef TEST_IO_SUMO_TEXTS_H
#define TEST_IO_SUMO_TEXTS_H

#define SUMO_NET_START "<net version=\"1.9\">\n"
#define SUMO_EDGE_INSIDE                                                                           \
    "<edge id=\":j_0\" function=\"internal\">"                                                     \
    "<lane id=\":j_0_0\" index=\"0\" speed=\"13.89\" length=\"10\" shape=\"95,-5 105,-5\"/>"       \
    "</edge>\n"
#define SUMO_EDGE_LEFT                                                                             \
    "<edge id=\":j_1\" function=\"internal\">"                                                     \
    "<lane id=\":j_1_0\" index=\"0\" speed=\"6\" length=\"9.5\" shape=\"95,-2 99,0 101.6,5\"/>"    \
    "</edge>\n"
#define SUMO_EDGE_WEST                                                                             \
    "<edge id=\"west\" from=\"a\" to=\"j\" priority=\"3\">\n"                                      \
    "<lane id=\"west_0\" index=\"0\" speed=\"13.89\" length=\"95\" shape=\"0,-5 95,-5\"/>\n"       \
    "<lane id=\"west_1\" index=\"1\" disallow=\"bus truck\" speed=\"13.89\" width=\"2.5\" "        \
    "length=\"95\" shape=\"0,-2,1 95,-2,4\"/>\n</edge>\n"
#define SUMO_EDGE_EAST                                                                             \
    "<edge id=\"east\" from=\"j\" to=\"b\" priority=\"3\">"                                        \
    "<lane id=\"east_0\" index=\"0\" allow=\"bus taxi\" speed=\"8\" length=\"95\" "                \
    "shape=\"105,-5 200,-5\"/></edge>\n"
#define SUMO_EDGE_NORTH                                                                            \
    "<edge id=\"north\" from=\"j\" to=\"c\" priority=\"1\">"                                       \
    "<lane id=\"north_0\" index=\"0\" speed=\"8\" length=\"95\" shape=\"101.6,5 101.6,100\"/>"     \
    "</edge>\n"
#define SUMO_EDGES SUMO_EDGE_INSIDE SUMO_EDGE_LEFT SUMO_EDGE_WEST SUMO_EDGE_EAST SUMO_EDGE_NORTH
#define SUMO_SIGNAL                                                                                \
    "<tlLogic id=\"j\" type=\"actuated\" programID=\"0\" offset=\"7\">"                            \
    "<phase duration=\"30\" state=\"Gr\" minDur=\"5\" maxDur=\"45\"/>"                             \
    "<phase duration=\"3\" state=\"yr\"/><phase duration=\"20\" state=\"rG\"/></tlLogic>\n"
#define SUMO_JUNCTIONS                                                                             \
    "<junction id=\"a\" type=\"dead_end\" x=\"0\" y=\"0\" incLanes=\"\" intLanes=\"\"/>\n"         \
    "<junction id=\"b\" type=\"dead_end\" x=\"200\" y=\"0\" incLanes=\"east_0\" intLanes=\"\"/>\n" \
    "<junction id=\"c\" type=\"dead_end\" x=\"100\" y=\"100\" incLanes=\"north_0\" "               \
    "intLanes=\"\"/>\n"                                                                            \
    "<junction id=\"j\" type=\"traffic_light\" x=\"100\" y=\"0\" z=\"2\" "                         \
    "incLanes=\"west_0 west_1\" intLanes=\":j_0_0 :j_1_0\" shape=\"95,0 105,0 105,-8\">"           \
    "<request index=\"0\" response=\"00\" foes=\"10\" cont=\"0\"/>"                                \
    "<request index=\"1\" response=\"01\" foes=\"01\" cont=\"1\"/></junction>\n"
#define SUMO_CONNECTIONS                                                                           \
    "<connection from=\"west\" to=\"east\" fromLane=\"0\" toLane=\"0\" via=\":j_0_0\" tl=\"j\" "   \
    "linkIndex=\"0\" dir=\"s\" state=\"O\"/>\n"                                                    \
    "<connection from=\"west\" to=\"north\" fromLane=\"1\" toLane=\"0\" via=\":j_1_0\" tl=\"j\" "  \
    "linkIndex=\"1\" dir=\"l\" state=\"o\" keepClear=\"0\"/>\n"                                    \
    "<connection from=\":j_0\" to=\"east\" fromLane=\"0\" toLane=\"0\" dir=\"s\" state=\"M\"/>\n"  \
    "<connection from=\":j_1\" to=\"north\" fromLane=\"0\" toLane=\"0\" dir=\"l\" "                \
    "state=\"M\"/>\n"
#define SUMO_NET_END "<roundabout nodes=\"j\" edges=\"west east\"/>\n</net>\n"
#define SUMO_NETWORK                                                                               \
    SUMO_NET_START SUMO_EDGES SUMO_SIGNAL SUMO_JUNCTIONS SUMO_CONNECTIONS SUMO_NET_END

#define SUMO_TYPES                                                                                 \
    "<vTypeDistribution id=\"private\">"                                                           \
    "<vType id=\"small\" length=\"4\" accel=\"3\" probability=\".75\"/>"                           \
    "<vType id=\"large\" length=\"5\" tau=\"1.4\" speedFactor=\"normc(1.1,0.2,0.5,2)\" "           \
    "probability=\".25\"/></vTypeDistribution>\n"                                                  \
    "<vType id=\"bus\" vClass=\"bus\" maxSpeed=\"20\"/>\n"
#define SUMO_DEMAND                                                                                \
    "<routes>\n" SUMO_TYPES "<busStop id=\"halt\" lane=\"east_0\" startPos=\"40\" "                \
    "endPos=\"60\"/>\n"                                                                            \
    "<route id=\"line\" edges=\"west east\"><stop busStop=\"halt\" duration=\"15\" "               \
    "until=\"40\"/></route>\n"                                                                     \
    "<vehicle id=\"v\" type=\"private\" depart=\"5\" departLane=\"best\" departPos=\"0\" "         \
    "arrivalPos=\"-1\"><route edges=\"west north\"/></vehicle>\n"                                  \
    "<vehicle id=\"line1\" type=\"bus\" depart=\"0:01:00.5\" departSpeed=\"max\" route=\"line\">"  \
    "<stop lane=\"east_0\" endPos=\"-10\" duration=\"3\"/></vehicle>\n"                            \
    "<trip id=\"t\" depart=\"2\" from=\"west\" to=\"north\"/>\n"                                   \
    "<flow id=\"f\" type=\"private\" begin=\"10\" end=\"110\" period=\"4\" from=\"west\" "         \
    "to=\"north\"/>\n"                                                                             \
    "<flow id=\"g\" begin=\"0\" end=\"1000\" period=\"exp(0.1)\" from=\"west\" to=\"north\"/>\n"   \
    "</routes>\n"

#endif
